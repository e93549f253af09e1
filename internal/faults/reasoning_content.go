package faults

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

var thinkTags = regexp.MustCompile(`(?s)<think>.*?</think>\s*`)

// onThoughts changes the content of every assistant message that has thinking in it.
func onThoughts(change func(r *RawRequest, path string, m gjson.Result, thought, text string)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("assistant", func(path string, m gjson.Result) {
			var thought, text strings.Builder
			for _, part := range m.Get("content").Array() {
				text.WriteString(part.Get("text").String())
				for _, piece := range part.Get("thinking").Array() {
					thought.WriteString(piece.Get("text").String())
				}
			}
			if thought.Len() > 0 {
				change(r, path, m, thought.String(), text.String())
			}
		})
	})
}

// reasoningContent are faults about reasoning that stands in the content.
var reasoningContent = []Fault{
	{
		Name:    "reasoning/keeps-the-text-of-a-list",
		Does:    "Of a content that is a list the text alone goes back.",
		Dialect: inChat,
		Breaks:  []string{"reasoning/resent-on-all-turns", "reasoning/resent-on-tool-turns"},
		Make: onThoughts(func(r *RawRequest, path string, _ gjson.Result, _, text string) {
			r.Set(path+".content", text)
		}),
	},
	{
		Name:    "reasoning/glues-thinking-to-the-text",
		Does:    "The parts of a content go back as one text, the thinking of turns with tool calls in front.",
		Models:  []string{"https://github.com/vercel/ai/issues/17930"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/kept-out-of-the-content", "reasoning/resent-on-tool-turns"},
		Make: onThoughts(func(r *RawRequest, path string, m gjson.Result, thought, text string) {
			if m.Get("tool_calls").Exists() {
				r.Set(path+".content", thought+text)
			}
		}),
	},
	{
		Name:   "reasoning/cuts-think-tags-out",
		Does:   "What stands between <think> and </think> is taken for noise and does not go back.",
		Breaks: []string{"reasoning/think-tags-kept"},
		Make: eachTurn(func(m *neutral.Message) {
			for _, said := range neutral.Of[*neutral.Text](m.Parts) {
				said.Text = thinkTags.ReplaceAllString(said.Text, "")
			}
		}),
	},
}
