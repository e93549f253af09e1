package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/scenarios"
)

func TestBadSurroundings(t *testing.T) {
	for _, c := range []struct{ step, want string }{
		{"text: 'Yes', logprobs: [{'No': -1}]", `x.yaml:3:29: the first tokens make up the text: they say "No"`},
		{"text: 'Yes', logprobs: [{'Yes': 1}]", "x.yaml:3:38: expected the logarithm of a probability, which is 0 or less"},
		{"text: 'Yes', logprobs: [{'': -1}]", "x.yaml:3:31: a token has a text"},
		{"text: 'Yes', logprobs: ['Yes']", "x.yaml:3:30: expected a token with the logarithm of its probability"},
		{"status: 500, logprobs: [{'Yes': -1}]", "logprobs are those of a text"},
		{"text: 'Yes', annotations: [{title: a}]", "x.yaml:3:33: an annotation has the `url` of its source"},
		{"text: 'Yes', annotations: [{url: a, of: No}]", `x.yaml:3:46: the text does not have "No"`},
		{"status: 500, annotations: [{url: a}]", "annotations are of a text"},
		{"from-schema: true, text: a", "x.yaml:3:19: the schema of the request says what the text or the call is"},
		{"from-schema: {calls: 0}", "x.yaml:3:19: expected true, or {calls: N} with N from 1 to 16"},
		{"from-schema: {times: 2}", "expected true, or {calls: N}"},
		{"from-schema: 2", "expected true, or {calls: N}"},
	} {
		_, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\nmodel:\n  - {"+c.step+"}\n"), vocabulary)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %s", c.step, err, c.want)
		}
	}
	for _, key := range []string{"logprobs: [{a: -1}]", "annotations: [{url: a}]", "from-schema: true", "title: Hello"} {
		_, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\ntitle: t\nprompt: Go.\nmodel:\n  - text: a\n    "+key+"\n"), vocabulary)
		if err == nil || !strings.Contains(err.Error(), "only a script without a prompt") {
			t.Errorf("%s: the error is %v", key, err)
		}
	}
}

// What depends on the request can only be seen when it comes.
func TestSurroundingsOfAnotherText(t *testing.T) {
	for step, want := range map[string]string{
		"logprobs: [{Hello: -1}]":         `its logprobs are of the text "Hello", and its text is "Bye"`,
		"annotations: [{url: a, of: Oh}]": `its annotation is of "Oh", which is not in the text "Bye"`,
	} {
		s, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\nmodel: [{text: '{{ user }}', "+step+"}]\n"), vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		_, err = scenarios.Compile(s, profile(t, "openai"), "s").Answer(0, ask(t, chat.Dialect, `{"model":"m","messages":[{"role":"user","content":"Bye"}]}`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
