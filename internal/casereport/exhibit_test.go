package casereport_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/casereport"
	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/trace"
)

func TestExhibit(t *testing.T) {
	long := strings.Repeat("long ", 400)
	req, err := chat.Read([]byte(`{"model":"m","messages":[{"role":"user","content":"Hi"},` +
		`{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"a","content":"1"},{"role":"user","content":"And?"},{"role":"user","content":"` + long + `"},` +
		`{"role":"assistant","content":"` + long + `","name":"the end"}],"tools":[{"type":"function"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, rule, pointer, want string
	}{
		{"no place", "egress/model-named", "", ""},
		{"the place is not there", "egress/model-named", "/nothing", ""},
		{"a message", "egress/known-roles", "/messages/0/role", `{"role":"user","content":"Hi"}`},
		{"a tool", "history/tools-as-given", "/tools/0/function", `{"type":"function"}`},
		{"a value at the top", "egress/model-named", "/model", `"m"`},
		{"a turn, from its result", "pairing/one-result-per-call", "/messages/2/tool_call_id",
			`1  {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}` + "\n" +
				`2  {"role":"tool","tool_call_id":"a","content":"1"}` + "\n" + `3  {"role":"user","content":"And?"}`},
		{"the first message", "pairing/no-orphan-result", "/messages/0", `0  {"role":"user","content":"Hi"}` + "\n" + `1  {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := casereport.Exhibit(req, trace.Finding{Rule: tt.rule, Pointer: tt.pointer}); got != tt.want {
				t.Errorf("the exhibit is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}

	t.Run("all messages", func(t *testing.T) {
		lines := strings.Split(casereport.Exhibit(req, trace.Finding{Rule: "history/only-grows", Pointer: "/messages"}), "\n")
		if len(lines) != 6 || len(lines[4]) > 200 || !strings.HasSuffix(lines[4], "…") {
			t.Errorf("%d lines, want one for each of the 6 messages, the long ones shortened:\n%s", len(lines), strings.Join(lines, "\n"))
		}
	})
	t.Run("the place in a long message", func(t *testing.T) {
		got := casereport.Exhibit(req, trace.Finding{Rule: "egress/assistant-message-keys", Pointer: "/messages/5/name"})
		if !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, `"name":"the end"}`) || len(got) > 600 {
			t.Errorf("the end of the message is not shown: %s", got)
		}
	})
	t.Run("no request", func(t *testing.T) {
		if got := casereport.Exhibit(nil, trace.Finding{Pointer: "/messages/0"}); got != "" {
			t.Errorf("an exhibit of nothing: %s", got)
		}
	})
}
