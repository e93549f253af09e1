package reasoning

import (
	"regexp"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

var thinkTags = regexp.MustCompile(`(?s)<think>.*?</think>\s*`)

// inContent are faults about reasoning that is in the content.
var inContent = []hooks.Fault{
	{
		Name:   "reasoning/cuts-think-tags-out",
		Does:   "What is between <think> and </think> is treated as noise and does not go back.",
		Breaks: []string{"reasoning/think-tags-kept"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			for _, said := range neutral.Of[*neutral.Text](m.Parts) {
				said.Text = thinkTags.ReplaceAllString(said.Text, "")
			}
		}),
	},
}
