package scenarios

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/profiles"
)

// TestSmallestScript reads the smallest script.
func TestSmallestScript(t *testing.T) {
	s, err := Parse("hello.yaml", []byte("loopproof: 1\nmodel: [{text: Hello}]\n"), Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Prompted() || s.When == nil {
		t.Error("it does not answer every request")
	}
}

// The steps of a script are alternatives, so their calls may have the same names. Two answers to
// one request still have different ids.
func TestCallsOfAlternativeStepsMayShareAName(t *testing.T) {
	const script = `loopproof: 1
model:
  - {times: 1, calls: [{as: look, tool: get_weather, arguments: '{}'}]}
  - {calls: [{as: look, tool: get_weather, arguments: '{}'}]}
`
	s, err := Parse("look.yaml", []byte(script), Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	req, err := chat.Read([]byte(`{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for step := range s.Model {
		turn, err := Compile(s, p, "secret").Answer(step, Ask{Request: req})
		if err != nil {
			t.Fatal(err)
		}
		ids[turn.Answer.Calls[0].ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("two answers to the same request have the ids %v", ids)
	}
	_, err = Parse("twice.yaml", []byte(strings.Replace(script, "]}\n  - {calls: [", ", ", 1)), Vocabulary{})
	if err == nil || !strings.Contains(err.Error(), `the name "look" is taken`) {
		t.Errorf("two calls of one name in a step give %v", err)
	}
}

// Only a text of a script is truncated, and it says how it ends.
func TestTruncate(t *testing.T) {
	for text, wrong := range map[string]string{
		"model: [{text: Hello, truncate: true}]":                           "",
		"model: [{text: Hello, finish: length, truncate: true}]":           "only a text is truncated",
		"model: [{status: 503, truncate: true}]":                           "only a text is truncated",
		"title: t\nprompt: Hello?\nmodel: [{text: Hello, truncate: true}]": "only a script without a prompt truncates its texts",
	} {
		_, err := Parse("x.yaml", []byte("loopproof: 1\n"+text+"\n"), Vocabulary{})
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s gives %v, want %q", text, err, wrong)
		}
	}
}

// Ids of one's own are for scripts, and a call has one id.
func TestOwnIDs(t *testing.T) {
	for text, wrong := range map[string]string{
		"model: [{text: Hello, id: one}]":                                                     "",
		"model: [{text: a, requests: 1, times: 1}]":                                           "a step counts the same request (`times`) or all requests (`requests`), not both",
		"prompt: ' '\nmodel: [{text: a}]":                                                     "a prompt says something; a script for an application has no such key",
		"prompts: []\nmodel: [{text: a}]":                                                     "there is no prompt in the list; a script for an application has no such key",
		"model: [{text: a, requests: 0}]":                                                     "requests is a whole number from 1 to 1000, not 0",
		"model: [{text: a, requests: 1001}]":                                                  "requests is a whole number from 1 to 1000, not 1001",
		"title: t\nprompt: a\nmodel: [{text: b, requests: 1}]":                                "only a script without a prompt counts its requests",
		"model: [{status: 503, id: one}]":                                                     "only an answer has an id",
		"title: t\nprompt: Hello?\nmodel: [{text: Hello, id: one}]":                           "only a script without a prompt has an `id` of its own",
		"model: [{calls: [{as: a, tool: t, id: x}, {as: b, tool: t, same-id-as: a, id: y}]}]": "a call has an id of its own, or that of another one",
		"behaviour: {ids: uniqe}\nmodel: [{text: Hello}]":                                     `unknown kind of ids "uniqe" (did you mean "unique"?)`,
		"model: [{text: Hello, id: '{{ nothing }}'}]":                                         "nothing",
		"model: [{text: Hello, when: {wants-json: maybe}}]":                                   "expected",
	} {
		_, err := Parse("x.yaml", []byte("loopproof: 1\n"+text+"\n"), Vocabulary{})
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s gives %v, want %q", text, err, wrong)
		}
	}
}
