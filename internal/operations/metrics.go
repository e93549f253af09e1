// Package operations is what a mock provider needs that runs as a service: metrics, a log of requests, a token before the
// paths of control, limits, a journal on disk, and scripts that are read again when their files change. Each is a
// middleware, or takes the entries of the journal:
//
//	m := operations.NewMetrics(version)
//	provider := engine.New(engine.Config{OnExchangeDone: m.ExchangeDone})
//	server := engine.Serve(listener, provider, m.Serve)
package operations

import (
	"net/http"
	"strconv"
	"sync"

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

	mu    sync.RWMutex
	known map[series]counted
}

// series are the labels of a request that was answered.
type series struct {
	dialect, profile, outcome string
	status                    int
}

// counted is what counts the requests of a series.
type counted struct {
	requests prometheus.Counter
	duration prometheus.Observer
}

// NewMetrics returns metrics of a provider of some version.
func NewMetrics(version string) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "loopproof_" + name, Help: help}, labels)
	}
	m := &Metrics{
		known:    map[series]counted{},
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "loopproof_requests_in_flight", Help: "Requests that are being answered."}),
		requests: counter("requests_total", "Requests, by what became of them: answered, unscripted, unkept, unreadable, unrouted or forwarded.", "dialect", "profile", "status", "outcome"),
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
	c := m.of(series{e.Profile.Dialect, e.Profile.Name, e.Outcome(), e.Answer.Status})
	c.requests.Inc()
	c.duration.Observe(e.Took().Seconds())
	for _, f := range e.Findings {
		m.findings.WithLabelValues(f.Rule, string(f.Level)).Inc()
	}
	if refusal := e.Exchange.Refusal; refusal != nil {
		m.refused.WithLabelValues(e.Profile.Name, refusal.Rule).Inc()
	}
}

// of returns what counts a series. It is looked up by its labels once, since that takes longer than to count.
func (m *Metrics) of(s series) counted {
	m.mu.RLock()
	c, known := m.known[s]
	m.mu.RUnlock()
	if known {
		return c
	}
	c = counted{
		requests: m.requests.WithLabelValues(s.dialect, s.profile, strconv.Itoa(s.status), s.outcome),
		duration: m.duration.WithLabelValues(s.dialect, s.outcome),
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[s] = c
	return c
}

// Reloaded counts an attempt to read the scripts again.
func (m *Metrics) Reloaded(err error) {
	result := "ok"
	if err != nil {
		result = "failed"
	}
	m.reloads.WithLabelValues(result).Inc()
}
