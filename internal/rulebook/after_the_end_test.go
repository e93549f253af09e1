package rulebook_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// TestRefusedAfterTheEnd: a request after the end of the script that the provider refuses breaks
// the rule of the refusal, although the scenario does not list it.
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
				if given && (j.Level != trace.Must || len(j.Findings) != 1 || j.Findings[0].Request != last.Number || j.Findings[0].Rule != id) {
					t.Errorf("the judgement is %+v", j)
				}
			}
		}
		if got != want {
			t.Errorf("given %v: the verdict is %q, want %q", given, got, want)
		}
	}
}

// TestRefusedAfterTheEndUnclaimed: what a loop does not claim is not judged after the end of the
// script either.
func TestRefusedAfterTheEndUnclaimed(t *testing.T) {
	const id = "reasoning/resent-on-tool-turns"
	run := OneCity.Under("deepseek").Play(t, AfterRound(`asks
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			result oslo
		completed`))
	last := run.Exchanges[len(run.Exchanges)-1]
	last.Turn, last.Overrun = nil, true
	refusal, _, refused := rulebook.Refuse(run.Script.Profile, last.Request)
	if !refused || refusal.Rule != id {
		t.Fatalf("the last request is refused by %q", refusal.Rule)
	}
	refusal.Given = true
	last.Refusal = &refusal
	for claimed, want := range map[bool]trace.Verdict{true: trace.Failed, false: trace.Unclaimed} {
		for _, j := range rulebook.Judge(run, func(f protocol.Feature) bool { return claimed || f != protocol.Reasoning }) {
			if j.Rule.ID == id && j.Verdict != want {
				t.Errorf("claimed %v: the verdict is %q, want %q: %+v", claimed, j.Verdict, want, j.Findings)
			}
		}
	}
}
