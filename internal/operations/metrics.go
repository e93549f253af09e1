// Package operations is what a mock provider needs that runs as a service: metrics, a log of
// requests, a token before the paths of control, limits, a journal on disk, and scripts that are
// read again when their files change. Each is a middleware, or takes the entries of the journal:
//
//	m := operations.NewMetrics(version)
//	provider := engine.New(engine.Config{OnExchangeDone: m.ExchangeDone})
//	server := engine.Serve(listener, provider, m.Serve)
package operations

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/loopproof/loopproof/internal/engine"
)

// MetricsPath is where the metrics are.
const MetricsPath = "/loopproof/metrics"

// Metrics counts what a provider does, in the form of Prometheus. Make one with [NewMetrics].
type Metrics struct {
	page     http.Handler
	inFlight prometheus.Gauge
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	findings *prometheus.CounterVec
	refused  *prometheus.CounterVec
	reloads  *prometheus.CounterVec
}

// NewMetrics returns metrics of a provider of some version.
func NewMetrics(version string) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "loopproof_" + name, Help: help}, labels)
	}
	m := &Metrics{
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "loopproof_requests_in_flight", Help: "Requests that are being answered."}),
		requests: counter("requests_total", "Requests, by what became of them: answered, disconnected, unscripted, unkept, unreadable, unrouted or forwarded.", "dialect", "profile", "status", "outcome"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "loopproof_request_duration_seconds", Help: "From the arrival of a request to the last byte of its answer.", Buckets: prometheus.ExponentialBuckets(0.0005, 4, 10),
		}, []string{"dialect", "outcome"}),
		findings: counter("findings_total", "Rules that requests broke.", "rule", "level"),
		refused:  counter("refused_total", "Requests that the real provider refuses, by the rule that they break.", "profile", "rule"),
		reloads:  counter("reloads_total", "How often scripts were read again, and whether they could be.", "result"),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{Name: "loopproof_build_info", Help: "The version, as a label.", ConstLabels: prometheus.Labels{"version": version}})
	info.Set(1)
	all := prometheus.NewRegistry()
	all.MustRegister(m.inFlight, m.requests, m.duration, m.findings, m.refused, m.reloads, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.page = promhttp.HandlerFor(all, promhttp.HandlerOpts{})
	return m
}

// Serve is a middleware that counts what is in flight and shows the metrics.
func (m *Metrics) Serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == MetricsPath {
			m.page.ServeHTTP(w, r)
			return
		}
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		next.ServeHTTP(w, r)
	})
}

// ExchangeDone counts a request that was answered.
func (m *Metrics) ExchangeDone(e engine.Entry) {
	m.requests.WithLabelValues(e.Profile.Dialect, e.Profile.Name, strconv.Itoa(e.Answer.Status), e.Outcome()).Inc()
	m.duration.WithLabelValues(e.Profile.Dialect, e.Outcome()).Observe(e.Took().Seconds())
	for _, f := range e.Findings {
		m.findings.WithLabelValues(f.Rule, string(f.Level)).Inc()
	}
	if refusal := e.Exchange.Refusal; refusal != nil {
		m.refused.WithLabelValues(e.Profile.Name, refusal.Rule).Inc()
	}
}

// Reloaded counts an attempt to read the scripts again.
func (m *Metrics) Reloaded(err error) {
	result := "ok"
	if err != nil {
		result = "failed"
	}
	m.reloads.WithLabelValues(result).Inc()
}
