package refloop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// reply is what the provider of a test answers to one request.
type reply struct {
	status int // 0: 200
	header map[string]string
	body   string // a stream when it does not begin with a brace
}

// stage is a provider that gives its replies one after the other, and one tool that says what it
// was called with.
type stage struct {
	*httptest.Server
	mu       sync.Mutex
	replies  []reply
	requests []string // bodies
	ran      []string // arguments
}

func newStage(t *testing.T, replies ...reply) *stage {
	t.Helper()
	s := &stage{replies: replies}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/chat/completions", s.complete)
	routes.HandleFunc("POST /tools/look", s.look)
	s.Server = httptest.NewServer(routes)
	t.Cleanup(s.Close)
	return s
}

func (s *stage) complete(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, string(body))
	if len(s.requests) > len(s.replies) {
		http.Error(w, "the play is over", http.StatusTeapot)
		return
	}
	next := s.replies[len(s.requests)-1]
	w.Header().Set("Content-Type", "text/event-stream")
	if strings.HasPrefix(next.body, "{") {
		w.Header().Set("Content-Type", "application/json")
	}
	for k, v := range next.header {
		w.Header().Set(k, v)
	}
	if next.status != 0 {
		w.WriteHeader(next.status)
	}
	io.WriteString(w, next.body)
}

func (s *stage) look(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran = append(s.ran, string(body))
	if strings.Contains(string(body), "fail") {
		http.Error(w, "no light", http.StatusInternalServerError)
		return
	}
	io.WriteString(w, "a cat")
}

// run has the loop carry out a task on the stage, streamed.
func (s *stage) run(profile string) protocol.Outcome {
	loop := refloop.Loop{Client: s.Client(), Backoff: time.Millisecond}
	return loop.Run(context.Background(), protocol.Task{
		ID: "t1", BaseURL: s.URL + "/v1", Model: "m", Profile: profile, Stream: true, System: "Be terse.", Prompts: []string{"Go."}, MaxTurns: 5,
		Tools: []protocol.Tool{{Name: "look", URL: s.URL + "/tools/look", Parameters: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"},"n":{"type":"integer"}},"required":["at"]}`)}},
	})
}

// events is a stream of these payloads with its end mark.
func events(payloads ...string) string {
	return "data: " + strings.Join(append(payloads, "[DONE]"), "\n\ndata: ") + "\n\n"
}

func delta(d string) string { return `{"choices":[{"index":0,"delta":` + d + `}]}` }
func finish(w string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + w + `"}]}`
}

// called is a turn with these calls, given as id and arguments.
func called(idsAndArguments ...string) string {
	var payloads []string
	for i := 0; i < len(idsAndArguments); i += 2 {
		arguments, _ := json.Marshal(idsAndArguments[i+1])
		payloads = append(payloads, delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"%s","function":{"name":"look","arguments":%s}}]}`, i/2, idsAndArguments[i], arguments)))
	}
	return events(append(payloads, finish("tool_calls"))...)
}

var done = reply{body: events(delta(`{"content":"Done."}`), finish("stop"))}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name     string
		replies  []reply
		status   protocol.Status
		says     string // text, error or reason
		requests int
	}{
		{"answer", []reply{done}, protocol.Completed, "Done.", 1},
		{"answer without an end mark", []reply{{body: strings.TrimSuffix(done.body, "data: [DONE]\n\n")}}, protocol.Completed, "Done.", 1},
		{"answer as JSON", []reply{{body: `{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}]}`}}, protocol.Completed, "Done.", 1},
		{"refusal", []reply{{body: events(delta(`{"refusal":"I "}`), delta(`{"refusal":"won't."}`), finish("stop"))}}, protocol.Completed, "I won't.", 1},
		{"nulls and an empty choice list", []reply{{body: events(delta(`{"role":"assistant","content":null,"tool_calls":null}`), delta(`{"content":"Done."}`), finish("stop"), `{"choices":[],"usage":{"prompt_tokens":3}}`)}}, protocol.Completed, "Done.", 1},
		{"cut, then whole", []reply{{body: "data: " + delta(`{"content":"Half"}`) + "\n\n"}, done}, protocol.Completed, "Done.", 2},
		{"cut each time", []reply{{body: "data: "}, {body: "data: "}, {body: "data: "}}, protocol.Failed, "the answer broke off", 3},
		{"error in the stream, then whole", []reply{{body: events(delta(`{"content":"Half"}`), `{"error":{"message":"fell over"}}`)}, done}, protocol.Completed, "Done.", 2},
		{"error as the finish reason, then whole", []reply{{body: events(delta(`{"content":"Half"}`), finish("error"))}, done}, protocol.Completed, "Done.", 2},
		{"error as a whole answer", []reply{{body: `{"error":{"message":"fell over"}}`}, {body: `{"error":{"message":"fell over"}}`}, {body: `{"error":{"message":"fell over"}}`}}, protocol.Failed, "fell over", 3},
		{"no JSON", []reply{{body: "data: <html>\n\n"}, done}, protocol.Completed, "Done.", 2},
		{"busy, then whole", []reply{{status: 429, body: "{}"}, {status: 503, body: "{}"}, done}, protocol.Completed, "Done.", 3},
		{"busy each time", []reply{{status: 500, body: "{}"}, {status: 500, body: "{}"}, {status: 500, body: `{"error":{"message":"down"}}`}}, protocol.Failed, "down", 3},
		{"busy for too long", []reply{{status: 429, header: map[string]string{"Retry-After": "3600"}, body: `{"message":"tomorrow"}`}}, protocol.Failed, "tomorrow", 1},
		{"bad request", []reply{{status: 400, body: `{"error":{"message":"too long"}}`}}, protocol.Failed, "too long", 1},
		{"wrong key", []reply{{status: 401, body: `{"detail":"Invalid API Key"}`}}, protocol.Failed, "Invalid API Key", 1},
		{"a web page as the answer", []reply{{body: "<html>Welcome</html>"}, {body: "<html>"}, {body: ""}}, protocol.Failed, "not JSON", 3},
		{"JSON of another shape as the answer", []reply{{body: `{"ok":true}`}, {body: "[]"}, {body: "null"}}, protocol.Failed, "", 3},
		{"one document to a request for a stream", []reply{{header: map[string]string{"Content-Type": "text/plain"}, body: "\n" + `{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}]}`}}, protocol.Completed, "Done.", 1},
		{"a stream that says it is JSON", []reply{{header: map[string]string{"Content-Type": "application/json"}, body: done.body}}, protocol.Completed, "Done.", 1},
		{"sent elsewhere", []reply{{status: 308, header: map[string]string{"Location": "/v1/chat/completions"}}, done}, protocol.Completed, "Done.", 2},
		{"a web page as the error", []reply{{status: 400, body: "<html>No</html>"}}, protocol.Failed, "400 Bad Request: <html>No</html>", 1},
		{"no quota", []reply{{status: 429, body: `{"error":{"message":"pay","code":"insufficient_quota"}}`}}, protocol.Failed, "pay", 1},
		{"not again, it says", []reply{{status: 503, header: map[string]string{"X-Should-Retry": "false"}, body: `{"message":"later"}`}}, protocol.Failed, "later", 1},
		{"blank", []reply{{body: events(delta(`{"content":" "}`), finish("stop"))}}, protocol.Failed, "the model answered with nothing", 1},
		{"cut by length", []reply{{body: events(delta(`{"content":"Do"}`), finish("length"))}}, protocol.Stopped, "length", 1},
		{"filtered", []reply{{body: events(finish("content_filter"))}}, protocol.Stopped, "content_filter", 1},
		{"calls without end", []reply{{body: called("a", `{"at":"x"}`)}, {body: called("b", `{"at":"x"}`)}, {body: called("c", `{"at":"x"}`)}, {body: called("d", `{"at":"x"}`)}, {body: called("e", `{"at":"x"}`)}}, protocol.Stopped, "the limit of 5 turns is reached", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, c.replies...)
			out := s.run("openai")
			if says := out.Text + out.Error + out.Reason; out.Status != c.status || !strings.Contains(says, c.says) || out.ID != "t1" {
				t.Errorf("the outcome is %+v", out)
			}
			if len(s.requests) != c.requests {
				t.Errorf("%d requests were made, want %d", len(s.requests), c.requests)
			}
		})
	}
}

func TestCutCallIsNotRun(t *testing.T) {
	for name, body := range map[string]string{
		"by length":     strings.Replace(called("a", `{"at":"x"}`), "tool_calls\"}", "length\"}", 1),
		"by the stream": strings.Split(called("a", `{"at":"x"}`), finish("tool_calls"))[0],
	} {
		s := newStage(t, reply{body: body}, reply{body: body}, reply{body: body})
		if out := s.run("openai"); out.Status == protocol.Completed || len(s.ran) != 0 {
			t.Errorf("cut %s: %v after the runs %q", name, out.Status, s.ran)
		}
	}
}

// lastMessages returns the messages of the last request after the prompt.
func (s *stage) lastMessages(t *testing.T) []string {
	t.Helper()
	var body struct{ Messages []json.RawMessage }
	if err := json.Unmarshal([]byte(s.requests[len(s.requests)-1]), &body); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range body.Messages[2:] {
		texts = append(texts, string(m))
	}
	return texts
}

func TestHistoryAfterCalls(t *testing.T) {
	s := newStage(t, reply{body: events(
		delta(`{"role":"assistant","content":"One "}`), delta(`{"content":"moment."}`),
		delta(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}},{"index":1,"id":"b","function":{"name":"look","arguments":"{\"at\""}}]}`),
		delta(`{"tool_calls":[{"index":1,"function":{"arguments":":\"<b>\"}"}}]}`),
		delta(`{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{\"at\": 9007199254740993 }"}}]}`),
		delta(`{"tool_calls":[{"index":2,"id":"c","function":{"name":"see","arguments":"{}"}}]}`),
		delta(`{"tool_calls":[{"index":3,"id":"d","function":{"name":"look","arguments":"{\"at\":\"fail\"}"}}]}`),
		delta(`{"tool_calls":[{"index":4,"id":"e","function":{"name":"look","arguments":"{\"at\":"}}]}`),
		delta(`{"tool_calls":[{"index":5,"id":"f","function":{"name":"look","arguments":"{\"at\":\"x\",\"n\":1.5}"}}]}`),
		delta(`{"tool_calls":[{"index":6,"id":"g","function":{"name":"look","arguments":"null"}}]}`),
		finish("tool_calls"))}, done)
	if out := s.run("openai"); out.Status != protocol.Completed {
		t.Fatalf("the outcome is %+v", out)
	}
	const schema = `{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"}},\"required\":[\"at\"]}`
	want := []string{
		`{"role":"assistant","content":"One moment.","tool_calls":[` +
			`{"id":"a","type":"function","function":{"name":"look","arguments":"{\"at\": 9007199254740993 }"}},` +
			`{"id":"b","type":"function","function":{"name":"look","arguments":"{\"at\":\"<b>\"}"}},` +
			`{"id":"c","type":"function","function":{"name":"see","arguments":"{}"}},` +
			`{"id":"d","type":"function","function":{"name":"look","arguments":"{\"at\":\"fail\"}"}},` +
			`{"id":"e","type":"function","function":{"name":"look","arguments":"{\"at\":"}},` +
			`{"id":"f","type":"function","function":{"name":"look","arguments":"{\"at\":\"x\",\"n\":1.5}"}},` +
			`{"id":"g","type":"function","function":{"name":"look","arguments":"null"}}]}`,
		`{"role":"tool","content":"Error: the argument \"at\" is not of the type string; the parameters of look are ` + schema + `","tool_call_id":"a"}`,
		`{"role":"tool","content":"a cat","tool_call_id":"b"}`,
		`{"role":"tool","content":"Error: there is no tool \"see\"; the tools are look","tool_call_id":"c"}`,
		`{"role":"tool","content":"Error: no light\n","tool_call_id":"d"}`,
		`{"role":"tool","content":"Error: the arguments are not a JSON object: {\"at\":; the parameters of look are ` + schema + `","tool_call_id":"e"}`,
		`{"role":"tool","content":"Error: the argument \"n\" is not of the type integer; the parameters of look are ` + schema + `","tool_call_id":"f"}`,
		`{"role":"tool","content":"Error: the argument \"at\" is missing; the parameters of look are ` + schema + `","tool_call_id":"g"}`,
	}
	if diff := cmp.Diff(want, s.lastMessages(t)); diff != "" {
		t.Errorf("the history (-want +got):\n%s", diff)
	}
}

// Each provider's reasoning goes back as that provider wants it.
func TestReasoningGoesBack(t *testing.T) {
	const call = `{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\":\"x\"}"}}]}`
	const calls = `"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"at\":\"x\"}"}}]`
	for _, c := range []struct {
		name, profile string
		deltas        []string
		want          string
	}{
		{"text", "deepseek", []string{`{"reasoning_content":"I "}`, `{"reasoning_content":"see."}`}, `,"reasoning_content":"I see."`},
		{"empty text", "deepseek", []string{`{"reasoning_content":""}`}, `,"reasoning_content":""`},
		{"null", "deepseek", []string{`{"reasoning_content":null}`}, ""},
		{"withheld", "deepseek-r1", []string{`{"reasoning_content":"I see."}`}, ""},
		{"another field", "vllm", []string{`{"reasoning":"I see."}`}, `,"reasoning":"I see."`},
		{"pieces of one block, signed at the end", "openrouter", []string{
			`{"reasoning":"I ","reasoning_details":[{"type":"reasoning.text","text":"I ","index":0,"format":"f"}]}`,
			`{"reasoning":"see.","reasoning_details":[{"type":"reasoning.text","text":"see.","index":0,"format":"f"}]}`,
			`{"reasoning_details":[{"type":"reasoning.text","signature":"s","index":0,"format":"f"}]}`,
		}, `,"reasoning_details":[{"format":"f","index":0,"signature":"s","text":"I see.","type":"reasoning.text"}]`},
		{"a block after a signed one", "openrouter", []string{
			`{"reasoning_details":[{"type":"reasoning.text","text":"a","signature":"s","index":0}]}`,
			`{"reasoning_details":[{"type":"reasoning.text","text":"b","index":0}]}`,
		}, `,"reasoning_details":[{"index":0,"signature":"s","text":"a","type":"reasoning.text"},{"index":0,"text":"b","type":"reasoning.text"}]`},
		{"summary and encrypted of one index", "openrouter", []string{
			`{"reasoning_details":[{"type":"reasoning.summary","summary":"a","index":0}]}`,
			`{"reasoning_details":[{"type":"reasoning.encrypted","data":"x","id":"1","index":0}]}`,
			`{"reasoning_details":[{"type":"reasoning.encrypted","data":"y","id":"2","index":0}]}`,
		}, `,"reasoning_details":[{"index":0,"summary":"a","type":"reasoning.summary"},{"data":"x","id":"1","index":0,"type":"reasoning.encrypted"},{"data":"y","id":"2","index":0,"type":"reasoning.encrypted"}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var payloads []string
			for _, d := range append(c.deltas, call) {
				payloads = append(payloads, delta(d))
			}
			s := newStage(t, reply{body: events(append(payloads, finish("tool_calls"))...)}, done)
			s.run(c.profile)
			if got, want := s.lastMessages(t)[0], `{"role":"assistant",`+calls+c.want+`}`; got != want {
				t.Errorf("sent back\n\t%s\nwant\n\t%s", got, want)
			}
		})
	}
}

func TestUsageIsTheSumOfTheTurns(t *testing.T) {
	counted := func(body string, in, out int) reply {
		usage := fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, in, out)
		return reply{body: strings.Replace(body, "data: [DONE]", "data: "+usage+"\n\ndata: [DONE]", 1)}
	}
	s := newStage(t, counted(called("a", `{"at":"x"}`), 10, 2), counted(done.body, 20, 3))
	if out := s.run("openai"); out.Usage == nil || *out.Usage != (protocol.Usage{InputTokens: 30, OutputTokens: 5}) {
		t.Errorf("the usage is %+v", out.Usage)
	}
}

// A provider that goes silent is given up when the task's time is over.
func TestSilence(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: "+delta(`{"content":"Half"}`)+"\n\n")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer silent.Close()
	out := refloop.Loop{Client: silent.Client()}.Run(t.Context(), protocol.Task{BaseURL: silent.URL, Prompts: []string{"Go."}, MaxTurns: 5, TimeoutMS: 20})
	if out.Status != protocol.Failed || !strings.Contains(out.Error, "deadline") {
		t.Errorf("the outcome is %+v", out)
	}
}

func TestCancelledTask(t *testing.T) {
	s := newStage(t, reply{status: 429, header: map[string]string{"Retry-After": "30"}, body: "{}"})
	ctx, cancel := context.WithCancel(t.Context())
	wait := func(ctx context.Context, d time.Duration) error {
		cancel()
		return refloop.ByTheClock(ctx, d)
	}
	out := refloop.Loop{Client: s.Client(), Wait: wait}.Run(ctx, protocol.Task{BaseURL: s.URL + "/v1", Prompts: []string{"Go."}, MaxTurns: 5})
	if out.Status != protocol.Stopped || out.Reason != "cancelled" {
		t.Errorf("the outcome is %+v", out)
	}
}
