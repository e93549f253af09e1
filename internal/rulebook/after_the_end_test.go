package rulebook_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// TestRefusedAfterTheEnd: a request after the end of the script that the provider refuses breaks the rule of the refusal,
// although the scenario does not list it.
func TestRefusedAfterTheEnd(t *testing.T) {
	const id = "egress/ends-with-the-user"
	for given, want := range map[bool]trace.Verdict{true: trace.Failed, false: ""} {
		run := OneCity.Under("anthropic").Play(t, AfterRound(`asks on
			assistant: It is
		completed`))
		last := run.Exchanges[len(run.Exchanges)-1]
		last.Turn, last.Overrun = nil, true
		refusal, _, refused := rulebook.Refuse(run.Script.Profile, last.Request)
		if !refused || refusal.Rule != id {
			t.Fatalf("the last request is refused by %q", refusal.Rule)
		}
		refusal.Given = given
		last.Refusal = &refusal
		var got trace.Verdict
		for _, j := range rulebook.Judge(run, func(protocol.Feature) bool { return true }) {
			if j.Rule.ID == id {
				got = j.Verdict
				if given && (j.Level != trace.Must || len(j.Findings) != 1 || j.Findings[0].Request != last.Number) {
					t.Errorf("the judgement is %+v", j)
				}
			}
		}
		if got != want {
			t.Errorf("given %v: the verdict is %q, want %q", given, got, want)
		}
	}
}
