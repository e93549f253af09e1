package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

const approvals = `
needs: [tool-approvals, approval-edits, parallel-calls]
tools:
  look:
    parameters: {at: string}
    needs-approval: true
    results: [{text: a cat}]
model:
  - calls:
      - {as: a, tool: look, arguments: '{"at":"this"}'}
      - {as: b, tool: look, arguments: '{"at":"that"}', denied: It sleeps.}
      - {as: c, tool: look, arguments: '{"at":"these"}', approved-with: '{"at":"those"}'}
  - text: It is a cat.
`

// The user decides about a call that is found by its id, by its arguments, or by its tool, as the
// scenario says.
func TestDecide(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, approvals, engine.RunConfig{})
	ask(t, base, hello)
	calls := firstExchange(run).Turn.Answer.Calls
	shown := func(id, name, arguments string) protocol.PendingCall {
		return protocol.PendingCall{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
	}
	for _, c := range []struct {
		name string
		call protocol.PendingCall
		of   int // -1: none
		want protocol.Decision
	}{
		{"by its id, whatever is shown", shown(calls[1].ID, "show", `{}`), 1, protocol.Decision{CallID: calls[1].ID, Reason: "It sleeps."}},
		{"by its arguments, as a text", shown("", "look", `"{\"at\": \"these\"}"`), 2, protocol.Decision{Approve: true, Arguments: json.RawMessage(`{"at":"those"}`)}},
		{"by its tool: the first about which was not asked", shown("", "look", `{"at":"it"}`), 0, protocol.Decision{Approve: true}},
		{"none", shown("", "listen", `{}`), -1, protocol.Decision{Reason: "the model has made no such call"}},
	} {
		decisions, err := run.Decide(t.Context(), c.call)
		if err != nil || len(decisions) != 1 {
			t.Fatalf("%s: %+v, %v", c.name, decisions, err)
		}
		got := decisions[0]
		if got.CallID != c.want.CallID || got.Approve != c.want.Approve || got.Reason != c.want.Reason || string(got.Arguments) != string(c.want.Arguments) {
			t.Errorf("%s: the user says %+v, want %+v", c.name, got, c.want)
		}
		all := run.Approvals()
		if a := all[len(all)-1]; a.Request > 0 != (c.of >= 0) || c.of >= 0 && a.N != c.of || a.Decided <= a.Asked {
			t.Errorf("%s: noted as %+v", c.name, a)
		}
	}
	shows := do(t, http.MethodGet, srv.URL+"/loopproof/show/"+run.ID+"/1", "").body
	for _, want := range []string{"The user was asked: approved<", "The user was asked: denied: It sleeps.", "The user was asked: approved with {&#34;at&#34;:&#34;those&#34;}"} {
		if !strings.Contains(shows, want) {
			t.Errorf("the page of the conversation does not say %q:\n%s", want, shows)
		}
	}
}

// A question about a call without arguments is not one about an earlier call whose arguments are an
// empty object.
func TestDecideAboutBlankArguments(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, `
needs: [tool-approvals]
tools: {look: {needs-approval: true, results: [{text: a cat}]}}
model:
  - calls: [{as: a, tool: look, arguments: '{}'}]
  - calls: [{as: b, tool: look, arguments: ''}]
  - text: It is a cat.
`, engine.RunConfig{})
	asked := hello
	for request := 1; request <= 2; request++ {
		ask(t, base, asked)
		id := firstExchange(run).Turn.Answer.Calls[0].ID
		asked = messages(`{"role":"user","content":"Go."}`,
			fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":%q,"type":"function","function":{"name":"look","arguments":"{}"}}]}`, id),
			fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":"a cat"}`, id))
		if _, err := run.Decide(t.Context(), protocol.PendingCall{Name: "look", Arguments: json.RawMessage(`{}`)}); err != nil {
			t.Fatal(err)
		}
		if a := run.Approvals()[request-1]; a.Request != request {
			t.Errorf("the question after request %d is one about the call of request %d", request, a.Request)
		}
	}
}

// A user who cancels instead decides nothing, and a loop that goes on all the same is told no.
func TestDecideWhenTheUserCancels(t *testing.T) {
	for _, lets := range []bool{true, false} {
		srv := start(t, engine.Config{Clock: &clock{}})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		told := 0
		run, base := begin(t, srv, `
needs: [tool-approvals, cancel]
tools: {look: {parameters: {at: string}, needs-approval: true, results: [{text: a cat}]}}
model:
  - calls: [{as: a, tool: look, arguments: '{"at":"this"}'}]
    cancel: {during: approval}
  - text: It is a cat.
`, engine.RunConfig{OnCancel: func(scenarios.Cancel) {
			if told++; lets {
				cancel()
			}
		}})
		ask(t, base, hello)
		decisions, err := run.Decide(ctx, protocol.PendingCall{Name: "look", Arguments: json.RawMessage(`{"at":"this"}`)})
		want := "denied"
		if lets {
			want = "undecided"
		}
		if errors.Is(err, context.Canceled) != lets || !lets && (len(decisions) != 1 || decisions[0].Approve) {
			t.Errorf("it lets go: %t; %+v, %v", lets, decisions, err)
		}
		if a := run.Approvals()[0]; told != 1 || run.Cancel() == nil || a.Decision() != want {
			t.Errorf("told %d times; noted as %+v, want %s", told, *a, want)
		}
	}
}

// A question that shows neither the tool nor its arguments is about the next call that needs an
// approval, and is noted as one about that.
func TestDecideAboutWhatIsNotShown(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, approvals, engine.RunConfig{NoReasons: true})
	ask(t, base, hello)
	calls := firstExchange(run).Turn.Answer.Calls
	for i, shown := range []protocol.PendingCall{{}, {Arguments: json.RawMessage(`{"at":"these"}`)}, {ID: "of the loop"}} {
		decisions, err := run.Decide(t.Context(), shown)
		if err != nil || decisions[0].Reason != "" {
			t.Errorf("%+v: %+v, %v", shown, decisions, err)
		}
		of := calls[[]int{0, 2, 1}[i]]
		if a := run.Approvals()[i]; a.Tool != of.Name || a.Arguments != of.Arguments {
			t.Errorf("%+v is noted as %+v", shown, a)
		}
	}
}
