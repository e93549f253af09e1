package refloop_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/protocol"
)

// runResponses has the loop carry out a task over the Responses API, and returns the bodies of its
// requests.
func runResponses(t *testing.T, profile string, replies ...string) (protocol.Outcome, []string) {
	t.Helper()
	task := protocol.Task{Dialect: "responses", Profile: profile}
	return provider{
		base:       "/v1",
		path:       "/responses",
		authorized: func(h http.Header) bool { return h.Get("Authorization") == "Bearer k" },
		parameters: `{"type":"object"}`,
		result:     "light",
	}.run(t, task, replies)
}

const (
	lookItems = `{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA"},{"id":"fc_1","type":"function_call","status":"completed","arguments":"{}","call_id":"call_1","name":"look"}`
	lookReply = `{"id":"resp_1","status":"completed","output":[` + lookItems + `],"usage":{"input_tokens":10,"output_tokens":2}}`
	doneReply = `{"id":"resp_2","status":"completed","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Done.","annotations":[]}]}],"usage":{"input_tokens":20,"output_tokens":3}}`

	goItem     = `{"type":"message","role":"user","content":"Go."}`
	lookOutput = `{"type":"function_call_output","call_id":"call_1","output":"light"}`
	lookTool   = `"tools":[{"type":"function","name":"look","parameters":{"type":"object"},"strict":false}]`
)

func TestResponsesHistory(t *testing.T) {
	out, requests := runResponses(t, "openai-responses", lookReply, doneReply)
	if out.Status != protocol.Completed || out.Text != "Done." || *out.Usage != (protocol.Usage{InputTokens: 30, OutputTokens: 5}) {
		t.Errorf("the outcome is %+v", out)
	}
	want := `{"model":"m","instructions":"Be terse.","input":[` + goItem + `,` + lookItems + `,` + lookOutput + `],` + lookTool +
		`,"store":false,"include":["reasoning.encrypted_content"]}` + "\n"
	if len(requests) != 2 || requests[1] != want {
		t.Errorf("the requests (-want +got):\n%s", cmp.Diff(want, requests[len(requests)-1]))
	}
}

// TestResponsesKept: a provider that keeps answers gets what is new, and everything when it does
// not have them any more.
func TestResponsesKept(t *testing.T) {
	const gone = `400 {"error":{"message":"Previous response with id 'resp_1' not found.","type":"invalid_request_error","param":"previous_response_id","code":"previous_response_not_found"}}`
	const noKeeping = `400 {"error":{"message":"no","type":"invalid_request_error","param":"previous_response_id","code":"unsupported_parameter"}}`
	all := `{"model":"m","instructions":"Be terse.","input":[` + goItem + `,` + lookItems + `,` + lookOutput + `],` + lookTool
	for _, c := range []struct {
		name    string
		replies []string
		want    string
	}{
		{"kept", []string{lookReply, doneReply},
			`{"model":"m","instructions":"Be terse.","input":[` + lookOutput + `],` + lookTool + `,"store":true,"previous_response_id":"resp_1"}`},
		{"gone", []string{lookReply, gone, doneReply}, all + `,"store":true}`},
		{"not kept at all", []string{lookReply, noKeeping, doneReply}, all + `,"store":false,"include":["reasoning.encrypted_content"]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, requests := runResponses(t, "openai-responses-stored", c.replies...)
			if out.Text != "Done." || len(requests) != len(c.replies) {
				t.Fatalf("the outcome after %d requests is %+v", len(requests), out)
			}
			if last := requests[len(requests)-1]; last != c.want+"\n" {
				t.Errorf("the last request (-want +got):\n%s", cmp.Diff(c.want+"\n", last))
			}
		})
	}
}
