package rules_test

import (
	"testing"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestSummarisedUnasked(t *testing.T) {
	const first = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		`
	for _, test := range []struct {
		name, dialogue string
		want           bool
	}{
		{"the whole history", TwoPromptsDone, false},
		{"a last word", first + `
			asks without tools
				prompt 1
				user: Give your answer now.
			completed`, false},
		{"a plan, and the history as it was", first + `
			asks without tools
				user: Make a plan.
			asks
				prompt 1
				calls oslo
				result oslo
				prompt 2
			completed`, false},
		{"a summary", first + `
			asks without tools
				user: Summarise what was said.
			asks
				user: Summary: it is cold.
				prompt 2
			completed`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := TwoPrompts.Play(t, test.dialogue).SummarisedUnasked(); got != test.want {
				t.Errorf("it is said that the loop summarised unasked: %v, want %v", got, test.want)
			}
		})
	}
}
