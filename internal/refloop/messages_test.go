package refloop_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// runMessages has the loop carry out a task over the Messages API, and returns the bodies of its requests.
func runMessages(t *testing.T, profile string, stream bool, replies ...string) (protocol.Outcome, []string) {
	t.Helper()
	var requests []string
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/messages", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, string(body))
		if r.Header.Get("X-Api-Key") != "k" || r.Header.Get("Anthropic-Version") == "" || len(requests) > len(replies) {
			http.Error(w, "no", http.StatusTeapot)
			return
		}
		reply := replies[len(requests)-1]
		if status, body, ok := strings.Cut(reply, " {"); ok && len(status) == 3 { // an error: 404 {...}
			code, _ := strconv.Atoi(status)
			w.WriteHeader(code)
			reply = "{" + body
		}
		io.WriteString(w, reply)
	})
	routes.HandleFunc("POST /tools/look", func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), "fail") {
			http.Error(w, "no light", http.StatusInternalServerError)
		}
	})
	srv := httptest.NewServer(routes)
	t.Cleanup(srv.Close)
	out := refloop.Loop{Client: srv.Client(), Backoff: time.Millisecond, Threads: true}.Run(context.Background(), protocol.Task{
		ID: "t1", Dialect: "messages", BaseURL: srv.URL, APIKey: "k", Model: "m", Profile: profile, Stream: stream, System: "Be terse.", Prompts: []string{"Go."}, MaxTurns: 5,
		Tools: []protocol.Tool{{Name: "look", URL: srv.URL + "/tools/look", Parameters: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`)}},
	})
	return out, requests
}

const answered = `{"content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn","usage":{"input_tokens":20,"output_tokens":3}}`

func TestMessagesHistory(t *testing.T) {
	turn := `[{"type":"thinking","thinking":"I look.","signature":"s=="},{"type":"text","text":"Hm."},{"type":"server_thing","x":1},` +
		`{"type":"tool_use","id":"a","name":"look","input":{"at":"x","n":9007199254740993},"caller":{"type":"direct"}},` +
		`{"type":"tool_use","id":"b","name":"look","input":{"at":"fail"}},{"type":"tool_use","id":"c","name":"see","input":{}}]`
	out, requests := runMessages(t, "anthropic", false, `{"content":`+turn+`,"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":2}}`, answered)
	if out.Status != protocol.Completed || out.Text != "Done." || *out.Usage != (protocol.Usage{InputTokens: 30, OutputTokens: 5}) {
		t.Errorf("the outcome is %+v", out)
	}
	want := `{"model":"m","max_tokens":16000,"system":"Be terse.","thinking":{"type":"adaptive"},"messages":[` +
		`{"role":"user","content":[{"type":"text","text":"Go."}]},{"role":"assistant","content":` + turn + `},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"},` +
		`{"type":"tool_result","tool_use_id":"b","content":"Error: no light\n","is_error":true},` +
		`{"type":"tool_result","tool_use_id":"c","content":"Error: there is no tool \"see\"; the tools are look","is_error":true}]}],` +
		`"tools":[{"name":"look","input_schema":{"type":"object","properties":{"at":{"type":"string"}}}}]}` + "\n"
	if len(requests) != 2 || requests[1] != want {
		t.Errorf("the requests (-want +got):\n%s", cmp.Diff(want, requests[len(requests)-1]))
	}
}

func TestMessagesStream(t *testing.T) {
	start := `{"type":"message_start","message":{"content":[],"usage":{"input_tokens":10,"output_tokens":1}}}`
	end := `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}`
	events := []string{
		start, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`, `{"type": "ping"}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"I look."}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`,
		`{"type":"content_block_stop","index":0  }`, `{"type":"something_new"}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"d"}}`, `{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}`,
		`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}`,
		`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"at\":"}}`,
		`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"x\"}"}}`, `{"type":"content_block_stop","index":2}`,
		end,
	}
	whole := stream(append(events, `{"type":"message_stop"}`)...)
	text := stream(start, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Done."}}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}`, `{"type":"message_stop"}`)
	out, requests := runMessages(t, "anthropic-4.5", true, stream(events...), stream(start, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), whole, text)
	if out.Status != protocol.Completed || out.Text != "Done." || *out.Usage != (protocol.Usage{InputTokens: 20, OutputTokens: 10}) {
		t.Errorf("the outcome is %+v", out)
	}
	want := `{"role":"assistant","content":[{"signature":"s","thinking":"I look.","type":"thinking"},{"data":"d","type":"redacted_thinking"},` +
		`{"id":"a","input":{"at":"x"},"name":"look","type":"tool_use"}]}`
	if len(requests) != 4 || !strings.Contains(requests[3], want) || !strings.Contains(requests[3], `"budget_tokens"`) {
		t.Errorf("the last of %d requests is %s", len(requests), requests[len(requests)-1])
	}
}

// stream is a stream of these payloads, named after their types.
func stream(payloads ...string) string {
	var b strings.Builder
	for _, p := range payloads {
		b.WriteString("event: x\ndata: " + p + "\n\n")
	}
	return b.String()
}

func TestMessagesOutcomes(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		status      protocol.Status
		says        string
	}{
		{"cut by length", `{"content":[{"type":"tool_use","id":"a","name":"look","input":{}}],"stop_reason":"max_tokens"}`, protocol.Stopped, "max_tokens"},
		{"refused", `{"content":[],"stop_reason":"refusal"}`, protocol.Stopped, "refusal"},
		{"blank", `{"content":[],"stop_reason":"end_turn"}`, protocol.Failed, "the model answered with nothing"},
		{"an error", `{"type":"error","error":{"type":"api_error","message":"fell over"}}`, protocol.Failed, "fell over"},
		{"no reason to stop", `{"content":[{"type":"text","text":"Do"}],"stop_reason":null}`, protocol.Failed, "broke off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _ := runMessages(t, "anthropic", false, c.reply, c.reply, c.reply)
			if says := out.Text + out.Error + out.Reason; out.Status != c.status || !strings.Contains(says, c.says) {
				t.Errorf("the outcome is %+v, want %s with %q", out, c.status, c.says)
			}
		})
	}
}
