package telemetry_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/operations/telemetry"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// taker is a collector that keeps what it gets.
type taker struct {
	*httptest.Server
	mu  sync.Mutex
	got []*spans.Span
	env []string // attributes of the resource
}

func newTaker(t *testing.T) *taker {
	c := &taker{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &sent)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("the collector got %s %d bytes: %v", r.URL, len(body), err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range sent.ResourceSpans {
			for _, a := range resource.Resource.Attributes {
				c.env = append(c.env, a.Key+"="+a.Value.GetStringValue())
			}
			for _, scope := range resource.ScopeSpans {
				c.got = append(c.got, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// told returns the attributes of a span that begin so, as text.
func told(attributes []*common.KeyValue, prefixes ...string) map[string]string {
	all := map[string]string{}
	for _, a := range attributes {
		for _, p := range prefixes {
			if strings.HasPrefix(a.Key, p) {
				all[a.Key] = strings.Join(strings.Fields(strings.NewReplacer(`_value:`, ":").Replace(a.Value.String())), " ")
			}
		}
	}
	return all
}

const script = `
loopproof: 1
title: t
tools: {get_weather: {parameters: {city: string}, results: [{text: 4 C}]}}
model:
  - when: {turn: 1}
    calls: [{as: weather, tool: get_weather, arguments: '{"city":"Oslo"}', id: call_1}]
  - text: It is 4 C.
`

// play sends requests to a provider whose spans go to a collector, and returns them.
func play(t *testing.T, o telemetry.Options, requests ...*http.Request) *taker {
	t.Helper()
	c := newTaker(t)
	o.URL, o.Version = c.URL, "1.2.3"
	sent, err := telemetry.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse("weather.yaml", []byte(script), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	gemini, err := profiles.Get("gemini-3")
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{Scenarios: []*scenarios.Scenario{s}, ExtraProfiles: []*profiles.Profile{gemini}, OnExchangeDone: sent.ExchangeDone})
	for _, r := range requests {
		r.URL.Scheme, r.URL.Host, r.RequestURI = "http", strings.TrimPrefix(srv.URL, "http://"), ""
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	srv.Close()
	if err := sent.Close(); err != nil {
		t.Fatal(err)
	}
	return c
}

func request(path, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer sk-this-is-a-key-0123456789")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "weather-app")
	return r
}

const asks = `{"model":"gpt-4o","messages":[{"role":"user","content":"What is the weather?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]}`

func TestSpanOfAnAnswer(t *testing.T) {
	r := request("/v1/chat/completions", asks)
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	c := play(t, telemetry.Options{}, r)
	if len(c.got) != 1 {
		t.Fatalf("there are %d spans", len(c.got))
	}
	s := c.got[0]
	if s.Name != "chat gpt-4o" || s.Kind != spans.Span_SPAN_KIND_SERVER || s.EndTimeUnixNano < s.StartTimeUnixNano || s.Status.GetCode() != spans.Status_STATUS_CODE_UNSET {
		t.Errorf("the span is %v", s)
	}
	if hex.EncodeToString(s.TraceId) != "0af7651916cd43dd8448eb211c80319c" || hex.EncodeToString(s.ParentSpanId) != "b7ad6b7169203331" {
		t.Errorf("it is not in the trace of the request: %v", s)
	}
	want := map[string]string{
		"gen_ai.operation.name": `string:"chat"`, "gen_ai.provider.name": `string:"openai"`, "gen_ai.request.model": `string:"gpt-4o"`,
		"gen_ai.response.finish_reasons": `array:{values:{string:"tool_call"}}`, "gen_ai.usage.input_tokens": "int:45", "gen_ai.usage.output_tokens": "int:20",
		"http.request.method": `string:"POST"`, "http.response.status_code": "int:200", "url.path": `string:"/v1/chat/completions"`, "user_agent.original": `string:"weather-app"`,
		"loopproof.run": `string:"default"`, "loopproof.profile": `string:"openai"`, "loopproof.outcome": `string:"answered"`, "loopproof.request": "int:1",
		"loopproof.scenario": `string:"weather"`, "loopproof.turn": "int:0",
	}
	if diff := cmp.Diff(want, told(s.Attributes, "")); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	if all := strings.Join(c.env, " "); !strings.Contains(all, "service.name=loopproof") || !strings.Contains(all, "service.version=1.2.3") {
		t.Errorf("the resource is %s", all)
	}
	if strings.Contains(s.String(), "sk-this") || strings.Contains(s.String(), "What is the weather") {
		t.Errorf("the span has a key or what was said: %v", s)
	}
}

// What was said is in a span only on request, in the form of the conventions.
func TestContent(t *testing.T) {
	c := play(t, telemetry.Options{Content: true}, request("/v1/chat/completions", strings.Replace(asks, `}]`, `},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},{"role":"tool","tool_call_id":"call_1","content":"4 C"}]`, 1)))
	got := map[string]string{}
	for _, a := range c.got[0].Attributes {
		got[a.Key] = a.Value.GetStringValue()
	}
	wantIn := `[{"role":"user","parts":[{"type":"text","content":"What is the weather?"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"call_1","name":"get_weather","arguments":{"city":"Oslo"}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"call_1","response":"4 C"}]}]`
	wantOut := `[{"role":"assistant","parts":[{"type":"text","content":"It is 4 C."}],"finish_reason":"stop"}]`
	if got["gen_ai.input.messages"] != wantIn || got["gen_ai.output.messages"] != wantOut {
		t.Errorf("what was said is\n%s\n%s", got["gen_ai.input.messages"], got["gen_ai.output.messages"])
	}
}

// A refusal is an error that names its rule, and each violation is an event.
func TestSpanOfARefusal(t *testing.T) {
	c := play(t, telemetry.Options{}, request("/v1/chat/completions", strings.Replace(asks, `}]`, `},{"role":"tool","tool_call_id":"call_9","content":"4 C"}]`, 1)))
	s := c.got[0]
	got := told(s.Attributes, "error.", "loopproof.refused")
	want := map[string]string{"error.type": `string:"400"`, "loopproof.refused.rule": `string:"pairing/no-orphan-result"`, "loopproof.refused.status": "int:400"}
	if diff := cmp.Diff(want, got); diff != "" || s.Status.Code != spans.Status_STATUS_CODE_ERROR || !strings.Contains(s.Status.Message, "must be a response to a preceeding message") {
		t.Errorf("the status is %v; attributes (-want +got):\n%s", s.Status, diff)
	}
	if len(s.Events) == 0 || s.Events[0].Name != "gen_ai.evaluation.result" || told(s.Events[0].Attributes, "loopproof.pointer")["loopproof.pointer"] != `string:"/messages/1"` {
		t.Errorf("the events are %v", s.Events)
	}
}

// Other providers have names of their own in the conventions, and other operations; a probe of an
// unknown path is no request of a model.
func TestOtherProviders(t *testing.T) {
	c := play(t, telemetry.Options{}, request("/v1beta/models/gemini-3-pro:generateContent", `{"contents":[{"role":"user","parts":[{"text":"What is the weather?"}]}]}`), request("/v1/nothing", `{}`))
	if len(c.got) != 1 || c.got[0].Name != "generate_content gemini-3-pro" || told(c.got[0].Attributes, "gen_ai.provider")["gen_ai.provider.name"] != `string:"gcp.gemini"` {
		t.Errorf("the spans are %v", c.got)
	}
}

// A collector that is not there is told, and harms nothing.
func TestNoCollector(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "300") // ms, instead of 10 s with tries
	for _, bad := range []string{"", "127.0.0.1:4318", "grpc://127.0.0.1:4317"} {
		if _, err := telemetry.Open(t.Context(), telemetry.Options{URL: bad}); err == nil || !strings.Contains(err.Error(), "such as http://127.0.0.1:4318") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	var failed []string
	s, err := telemetry.Open(context.Background(), telemetry.Options{URL: "http://127.0.0.1:1", Failed: func(err error) { failed = append(failed, err.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	s.ExchangeDone(engine.Entry{Profile: p})
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if all := strings.Join(failed, "\n"); !strings.Contains(all, "did not take spans, and 1 are lost") {
		t.Errorf("told: %q", all)
	}
}

// A client may repeat its key anywhere, such as in the name of the model: no span has it, neither
// in its name nor elsewhere.
func TestSpansHaveNoKeys(t *testing.T) {
	const own = "plain-and-simple-42"
	for _, model := range []string{own, "sk-this-is-a-key-0123456789", "key%3D" + own, base64.StdEncoding.EncodeToString([]byte("x" + own))} {
		r := request("/v1/chat/completions", strings.Replace(asks, "gpt-4o", model, 1))
		r.Header.Set("X-My-Proxy-Key", own)
		r.Header.Set("User-Agent", "app "+own)
		c := play(t, telemetry.Options{Content: true}, r)
		if len(c.got) != 1 {
			t.Fatalf("there are %d spans", len(c.got))
		}
		if s := c.got[0].String(); strings.Contains(s, own) || strings.Contains(s, model) || !strings.HasPrefix(c.got[0].Name, "chat ") {
			t.Errorf("a span has a key: %s", s)
		}
	}
}
