package rules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// TestReturned: where in its script a conversation is is read from the history of a single request.
func TestNext(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       Setting
		messages string
		want     int
	}{
		{"the beginning", TwoRounds, `prompt 1`, 0},
		{"one turn", TwoRounds, `
			prompt 1
			calls oslo
			result oslo`, 1},
		{"all turns", TwoRounds, `
			prompt 1
			calls oslo
			result oslo
			calls lima
			result lima
			assistant: Lima is warmer.`, 3},
		{"the answer with space around it", TwoPrompts, `
			prompt 1
			calls oslo
			result oslo
			{"role":"assistant","content":[{"type":"text","text":"It is 4 C in Oslo.\n"}]}
			prompt 2`, 2},
		{"a greeting is none of it", TwoRounds, `
			assistant: Hello, how can I help?
			prompt 1`, 0},
		{"examples are none of it", NoTools, `
			user: Say goodbye.
			assistant: Goodbye.
			prompt 1`, 0},
		{"a greeting, and one turn", TwoRounds, `
			assistant: Hello, how can I help?
			prompt 1
			calls oslo
			result oslo`, 1},
		{"new ids", TwoRounds, `
			prompt 1
			{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}`, 1},
		{"one turn in two messages", TwoCities, `
			prompt 1
			calls oslo
			result oslo
			calls lima
			result lima`, 1},
		{"the text of a turn apart from its calls", Talking, `
			prompt 1
			assistant: I look up both.
			{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`, 1},
		{"the same call in two turns, the first of them", SamePrice, `
			prompt 1
			calls first
			result first`, 1},
		{"the same id in two turns, the first of them", RepeatedIDs, `
			prompt 1
			calls author
			result author`, 1},
		{"the same id in two turns, both", RepeatedIDs, `
			prompt 1
			calls author
			result author
			calls year
			result year`, 2},
		{"a history window that lost the first round", TwoRounds, `
			prompt 1
			calls lima
			result lima`, 2},
		{"a turn that was changed beyond recognition", TwoRounds, `
			prompt 1
			{"role":"assistant","content":"(called a tool)"}
			user: 4 C`, 1},
		{"an error is stepped over once a later turn is back", WrongOnce, `
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.`, 3},
		{"an error that may be yet to come", WrongOnce, `
			prompt 1
			calls oslo
			result oslo`, 1},
		{"a truncated turn that the loop kept", Half, `
			prompt 1
			calls oslo
			result oslo
			assistant: The weather in Oslo is not
			user: Go on.`, 1},
		{"a prompt in other words", TwoRounds, `
			user: Which is warmer?
			calls oslo
			result oslo`, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.in.Play(t, "asks\n"+test.messages)
			if got := rules.Locate(run.Script, run.Exchanges[0].Request).Next(); got != test.want {
				t.Errorf("turn %d comes next, want %d", got, test.want)
			}
		})
	}
}
