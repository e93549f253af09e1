package refloop_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// runMessages has the loop carry out a task over the Messages API, and returns the bodies of its
// requests.
func runMessages(t *testing.T, profile string, stream bool, replies ...string) (protocol.Outcome, []string) {
	t.Helper()
	task := protocol.Task{Dialect: "messages", Profile: profile, Stream: stream}
	return provider{
		path:       "/v1/messages",
		authorized: func(h http.Header) bool { return h.Get("X-Api-Key") == "k" && h.Get("Anthropic-Version") != "" },
		parameters: `{"type":"object","properties":{"at":{"type":"string"}}}`,
	}.run(t, task, replies)
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
		{"no message", `{"ok":true}`, protocol.Failed, neutral.ErrBroken.Error()},
		{"an error", `{"type":"error","error":{"type":"api_error","message":"fell over"}}`, protocol.Failed, "fell over"},
		{"no reason to stop", `{"content":[{"type":"text","text":"Do"}],"stop_reason":null}`, protocol.Completed, "Do"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _ := runMessages(t, "anthropic", false, c.reply, c.reply, c.reply)
			if says := out.Text + out.Error + out.Reason; out.Status != c.status || !strings.Contains(says, c.says) {
				t.Errorf("the outcome is %+v, want %s with %q", out, c.status, c.says)
			}
		})
	}
}
