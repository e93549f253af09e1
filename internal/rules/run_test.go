package rules

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

func numbers(exchanges []*Exchange) []int {
	var n []int
	for _, x := range exchanges {
		n = append(n, x.Number)
	}
	return n
}

// TestRun: garbage, and requests of other conversations, are no part of a run.
func TestRun(t *testing.T) {
	run := twoRounds.play(t, `
		sends garbage
		asks
		sends {"messages":[{"role":"user","content":"Find a title."},{"role":"tool","tool_call_id":"x","content":"y"}]}
		asks
			prompt 1
			calls oslo
			result oslo
		asks on
			assistant: Lima is warmer.
		completed`)
	if diff := cmp.Diff([]int{2, 4, 5}, numbers(run.Taken())); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{2, 4}, numbers(run.Served())); diff != "" {
		t.Errorf("served (-want +got):\n%s", diff)
	}
	if !run.UsedTools() || run.Last().Number != 4 {
		t.Errorf("it used tools: %v, the last one is %d", run.UsedTools(), run.Last().Number)
	}
	if next := run.Next(run.Exchanges[1]); next.Number != 4 {
		t.Errorf("behind request 2 comes %d", next.Number)
	}
	if next := run.Next(run.Exchanges[4]); next != nil {
		t.Errorf("behind the last request comes %d", next.Number)
	}
	if run.Exchanges[0].Problem == "" || run.Exchanges[0].Request != nil {
		t.Error("garbage has no problem")
	}
}

// TestRunOfNothing: a loop that did nothing has shown nothing.
func TestRunOfNothing(t *testing.T) {
	run := oneCity.play(t, `
		sends {"messages":[{"role":"tool","tool_call_id":"x","content":"y"}]}
		hung`)
	if run.UsedTools() || run.Last() != nil || run.Taken() != nil || run.Echoes() != nil || run.Calls() != nil {
		t.Error("there is something in it")
	}
	for _, rule := range Book() {
		if judged := rule.Check(run); judged.Seen && len(judged.Findings) == 0 {
			t.Errorf("%s saw something", rule.ID)
		}
	}
}

func TestCaseID(t *testing.T) {
	c := Case{Scenario: "pairing/single-call", Dialect: "chat", Profile: "openai", Delivery: wire.DeliverSSE}
	if id := c.ID(); id != "pairing/single-call@chat/openai/sse" {
		t.Errorf("the id is %q", id)
	}
}

// TestContains: what counts as saying something.
func TestContains(t *testing.T) {
	const said = "Über \"uns\"\n4 C\n"
	for text, want := range map[string]bool{
		"Über \"uns\"\n4 C":                                true,
		"Result: Über \"uns\"\n4 C, it says":               true,
		`"Über \"uns\"\n4 C"`:                              true,
		`{"a":["\u00dcber \u0022uns\u0022\u000a4 C"]}`:     true,
		`Result: {"a":"\u00dcber \"uns\"\n4 C"} (cached)`:  true,
		`{"a":"{\"b\":\"\\u00dcber \\\"uns\\\"\\n4 C\"}"}`: true,
		`Über "uns"`:                    false,
		"":                              false,
		`{"a":"\u00dcber \"uns\" 4 C"}`: false,
		`{"a":`:                         false,
		`}{`:                            false,
		`"`:                             false,
	} {
		if contains(text, said) != want {
			t.Errorf("%q says it: %v", text, !want)
		}
	}
	for text, want := range map[string]bool{
		`{"tags":["ü"],"id":7}`:                      true,
		`{"result": {"id": 7.0, "tags":["\u00fc"]}}`: true,
		`[{"id":7,"tags":["ü"]}]`:                    true,
		`{"id":7}`:                                   false,
		`{"id":7,"tags":["u"]}`:                      false,
	} {
		if contains(text, ` { "id": 7, "tags": ["ü"] } `) != want {
			t.Errorf("%s has the value: %v", text, !want)
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
	for _, in := range []setting{oneCity, inThree, brokenAnswer.by(wire.DeliverSSE)} {
		for _, body := range bodies {
			for _, dialogue := range []string{"asks\nruns oslo\nsends " + body + "\ncompleted: x", afterRound("sends " + body + "\nfailed: x")} {
				run := in.play(t, dialogue)
				for _, rule := range Book() {
					rule.Check(run)
				}
				for _, x := range run.Exchanges {
					if x.Request != nil {
						Returned(run.Script, x.Request)
						CheckRequest(run.Script.Profile, run.Script, x)
						Refuse(run.Script.Profile, x.Request)
					}
				}
			}
		}
	}
}
