// Package telemetry sends a span for each request of a model to an OpenTelemetry collector, by the
// conventions for generative AI. A span belongs to the trace that the request names in its header
// traceparent:
//
//	spans, err := telemetry.Open(ctx, telemetry.Options{URL: "http://127.0.0.1:4318"})
//	config.OnExchangeDone = spans.ExchangeDone
//	defer spans.Close()
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/loopproof/loopproof/internal/journal"
)

// Options say where spans go and what is in them.
type Options struct {
	URL     string // of the collector, which takes OTLP over HTTP; without a path it is /v1/traces
	Content bool   // what was said is in them, too
	Version string // of this program

	// Failed is told why spans are lost. Requests do not wait for the collector.
	Failed func(error)
}

// Spans makes a span of each request. It is safe for use by many goroutines.
type Spans struct {
	options  Options
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// closeTime is how long Close waits for the collector.
const closeTime = 5 * time.Second

// Open returns what sends spans to a collector. The environment variables of OpenTelemetry add to
// the options, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES. No connection is
// made yet.
func Open(ctx context.Context, o Options) (*Spans, error) {
	endpoint, err := endpointOf(o.URL)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, err
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(semconv.ServiceName("loopproof"), semconv.ServiceVersion(o.Version)),
		resource.WithFromEnv(), resource.WithTelemetrySDK())
	if err != nil {
		return nil, err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(telling{exporter, o}), sdktrace.WithResource(about))
	return &Spans{o, provider, provider.Tracer("github.com/loopproof/loopproof", trace.WithInstrumentationVersion(o.Version))}, nil
}

// telling is an exporter that says itself why spans are lost, which the library says to a handler
// of the whole program.
type telling struct {
	sdktrace.SpanExporter
	Options
}

func (t telling) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if err := t.SpanExporter.ExportSpans(ctx, spans); err != nil && t.Failed != nil {
		t.Failed(fmt.Errorf("the collector at %s did not take spans, and %d are lost: %w", t.URL, len(spans), err))
	}
	return nil
}

func endpointOf(given string) (string, error) {
	u, err := url.Parse(given)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%q is not the URL of a collector, such as http://127.0.0.1:4318", given)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
	}
	return u.String(), nil
}

// Close sends what was not sent yet.
func (s *Spans) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	err := s.provider.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the last spans were not taken by %s within %s", s.options.URL, closeTime)
	}
	return err
}

// ExchangeDone makes the span of a request that was answered. What is no request for a turn of a
// model has none.
func (s *Spans) ExchangeDone(e journal.Entry) {
	if e.Unrouted || e.Profile == nil {
		return
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(e.Header))
	operation, told := operationOf(e), e.Summary()
	name := operation
	if told.Model != "" {
		name += " " + e.Clean(told.Model)
	}
	_, span := s.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(e.At), trace.WithAttributes(s.attributes(e)...))
	for _, f := range e.Findings {
		span.AddEvent("gen_ai.evaluation.result", trace.WithTimestamp(e.At), trace.WithAttributes(
			semconv.GenAIEvaluationName(f.Rule), semconv.GenAIEvaluationScoreLabel("fail"),
			semconv.GenAIEvaluationExplanation(e.Clean(f.Message)),
			attribute.String("loopproof.level", string(f.Level)), attribute.String("loopproof.pointer", e.Clean(f.Pointer))))
	}
	if kind, why := failureOf(e); kind != "" {
		span.SetAttributes(semconv.ErrorTypeKey.String(kind))
		span.SetStatus(codes.Error, e.Clean(why))
	}
	span.End(trace.WithTimestamp(e.At.Add(e.Took())))
}

func operationOf(e journal.Entry) string {
	if e.API != "" { // embeddings, as the conventions have it; they have no word for the others
		return e.API
	}
	if own := e.Profile.Speaks.Endpoint.Operation; own != "" {
		return own
	}
	return semconv.GenAIOperationNameChat.Value.AsString()
}

// failureOf returns the error.type of a request that was not answered well, and why in words; "":
// it was.
func failureOf(e journal.Entry) (kind, why string) {
	status := e.Answer.Status
	switch {
	case status >= http.StatusBadRequest && e.Exchange.Refusal != nil && e.Exchange.Refusal.Given:
		return strconv.Itoa(status), e.Exchange.Refusal.Message
	case status >= http.StatusBadRequest:
		return strconv.Itoa(status), e.Exchange.Problem
	case e.Answer.Ending != journal.Whole:
		return "connection_" + string(e.Answer.Ending), ""
	case status == 0:
		return "no_response", ""
	}
	return "", ""
}
