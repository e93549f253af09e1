package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

func TestReasonsForDialectsInWhichNothingIsPlayed(t *testing.T) {
	const (
		head   = "loopproof: 1\ntitle: A test\n"
		rest   = "prompt: Go.\nmodel:\n  - text: Done.\n"
		openai = "profiles: [openai, openai-responses, gemini-3]\n"
	)
	listed := "rules: [" + rulebook.IDs()[0] + "]\n"
	for _, c := range []struct{ name, text, want string }{
		{"played everywhere", head + listed + rest, ""},
		{"a reason is given", head + listed + openai + `not-in: {messages: "it is OpenAI's"}` + "\n" + rest, ""},
		{"it tests nothing", head + openai + rest, ""},
		{"no reason", head + listed + openai + rest, ""},
		{"a reason for nothing, in a list of standard profiles", head + listed + "profiles: [standard, vllm]\nnot-in: {messages: no}\n" + rest, "x.yaml:5:20: the scenario is played in the dialect messages: it needs no reason not to be"},
		{"a misspelled word for those", head + listed + "profiles: [standrad]\n" + rest, `x.yaml:4:12: unknown profile "standrad" (did you mean "standard"?); ` + "`loopproof list` shows all"},
		{"a reason for nothing", head + listed + "not-in: {messages: no}\n" + rest, "x.yaml:4:20: the scenario is played in the dialect messages: it needs no reason not to be"},
		{"no sentence", head + listed + openai + `not-in: {messages: " "}` + "\n" + rest, "x.yaml:5:20: a reason why the scenario is not played in a dialect is a sentence"},
		{"an unknown dialect", head + listed + "not-in: {mesages: no}\n" + rest, `x.yaml:4:19: unknown dialect "mesages" (did you mean "messages"?); it is one of ` + strings.Join(dialect.Names(dialect.All()), ", ")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if _, err := scenarios.Parse("x.yaml", []byte(c.text), rulebook.Vocabulary(profiles.Known{})); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("the error is  %q\nwant %q", got, c.want)
			}
		})
	}
}
