package rulebook_test

import (
	"fmt"
	"testing"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestRunOfNothing: a loop that did nothing has shown nothing.
func TestRunOfNothing(t *testing.T) {
	run := OneCity.Play(t, `
		sends {"messages":[{"role":"tool","tool_call_id":"x","content":"y"}]}
		hung`)
	if run.UsedTools() || run.Last() != nil || run.Conversation() != nil || run.ReturnedTurns() != nil || run.Calls() != nil {
		t.Error("there is something in it")
	}
	for _, rule := range rulebook.Book() {
		if judged := rule.Check(run); judged.HasEvidence && len(judged.Findings) == 0 {
			t.Errorf("%s saw something", rule.ID)
		}
	}
}

// TestRulesTakeAnything: no rule stumbles over a run, whatever was sent in it.
func TestRulesTakeAnything(t *testing.T) {
	values := []string{`null`, `true`, `7`, `"x"`, `""`, `[]`, `{}`, `[null]`, `[7]`, `["x"]`, `[[]]`, `[{}]`}
	bodies := []string{"", "x", "null", "[]", `{}`, `{"messages":{}}`}
	for _, v := range values {
		const prompt = `{"role":"user","content":"What is the weather in Oslo?"}`
		bodies = append(bodies, fmt.Sprintf(`{"model":%[1]s,"messages":%[1]s,"tools":%[1]s,"stream_options":%[1]s,"tool_choice":%[1]s}`, v))
		for _, key := range []string{"role", "content", "tool_calls", "tool_call_id", "reasoning_content", "reasoning_details", "refusal"} {
			for _, role := range []string{"system", "user", "assistant", "tool"} {
				bodies = append(bodies, fmt.Sprintf(`{"model":"m","messages":[%s,{"role":%q,"content":"x",%q:%s}],"tools":[%[4]s]}`, prompt, role, key, v))
			}
		}
		for _, key := range []string{"id", "type", "function"} {
			bodies = append(bodies, fmt.Sprintf(`{"messages":[%s,{"role":"assistant","tool_calls":[{"id":"{{oslo}}",%q:%s}]},{"role":"tool","tool_call_id":"{{oslo}}"}]}`, prompt, key, v))
		}
		bodies = append(bodies, fmt.Sprintf(`{"messages":[%s,{"role":"assistant","tool_calls":[{"id":"{{oslo}}","function":{"name":%[2]s,"arguments":%[2]s}}],"reasoning_details":[%[2]s]},{"role":"tool","tool_call_id":"{{oslo}}","content":%[2]s}]}`, prompt, v))
	}
	for _, in := range []Setting{OneCity, InThree, BrokenAnswer.By(wire.DeliverSSE)} {
		for _, body := range bodies {
			for _, dialogue := range []string{"asks\nruns oslo\nsends " + body + "\ncompleted: x", AfterRound("sends " + body + "\nfailed: x")} {
				run := in.Play(t, dialogue)
				for _, rule := range rulebook.Book() {
					rule.Check(run)
				}
				for _, x := range run.Exchanges {
					if x.Request != nil {
						rules.Locate(run.Script, x.Request).Next()
						rulebook.CheckRequest(t.Context(), run.Script.Profile, run.Script, x)
					}
				}
			}
		}
	}
}
