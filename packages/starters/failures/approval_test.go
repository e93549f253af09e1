package failures_test

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/protocol"
)

// testApproval lets the loop ask the user about two calls, and the user decide about them or cancel
// the task instead.
func (p program) testApproval(t *testing.T) {
	t.Helper()
	p.run(t, func(stdin io.Writer, lines *bufio.Scanner) {
		for _, c := range []struct{ answer, outcome string }{
			{`{"type":"decision","id":"t1","approval":"{approval}","decisions":[{"call_id":"call-1","approve":true,"arguments":{"path":"b"}},{"approve":false,"reason":"It is needed."}]}`,
				`"status":"completed","text":"runs b; It is needed."`},
			{`{"type":"cancel","id":"t1"}`, `"status":"stopped","reason":"cancelled"`},
			{`{"type":"decision","id":"t1","approval":"{approval}","decisions":[{"approve":false,"reason":"No."},{"approve":false}]}`, `"status":"completed","text":"No.; "`},
		} {
			task, err := json.Marshal(protocol.Task{
				Type: protocol.TypeTask, ID: "t1", Dialect: "chat", BaseURL: "http://127.0.0.1:1/v1", Model: "m", Profile: "openai", Prompts: []string{"approval"},
				Tools: []protocol.Tool{{Name: "delete_file", Parameters: json.RawMessage("{}"), NeedsApproval: true}}, MaxTurns: 8, TimeoutMS: 10_000,
			})
			must(t, err)
			send(t, stdin, string(task))
			var asked protocol.ApprovalLine
			if !lines.Scan() || json.Unmarshal(lines.Bytes(), &asked) != nil {
				t.Fatalf("it says %q, where a question is expected", lines.Text())
			}
			first, second := protocol.PendingCall{ID: "call-1", Name: "delete_file"}, protocol.PendingCall{Name: "delete_file"}
			if asked.Type != protocol.TypeApproval || asked.ID != "t1" || len(asked.Calls) != 2 || !shows(asked.Calls[0], first, `{"path":"a"}`) || !shows(asked.Calls[1], second, `"{\"path\":\"c\"}"`) {
				t.Errorf("it asks %s", lines.Text())
			}
			send(t, stdin, strings.ReplaceAll(c.answer, "{approval}", asked.Approval))
			if !lines.Scan() {
				t.Fatal("it ended without an outcome")
			}
			var got, want protocol.Outcome
			must(t, json.Unmarshal(lines.Bytes(), &got))
			must(t, json.Unmarshal([]byte(`{"type":"outcome","id":"t1",`+c.outcome+`}`), &want))
			if got.Status != want.Status || got.Text != want.Text || got.Reason != want.Reason {
				t.Errorf("the outcome is %s, want %s", lines.Text(), c.outcome)
			}
		}
	})
}

// shows reports whether a call is shown as it should be.
func shows(got, want protocol.PendingCall, arguments string) bool {
	compact := strings.ReplaceAll(string(got.Arguments), " ", "")
	return got.ID == want.ID && got.Name == want.Name && compact == arguments
}

func send(t *testing.T, stdin io.Writer, line string) {
	t.Helper()
	if _, err := io.WriteString(stdin, line+"\n"); err != nil {
		t.Fatal(err)
	}
}
