package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// answered returns the answer of the first step of a script to what a user says.
func answered(t *testing.T, script, said string) (text, arguments string, err error) {
	t.Helper()
	s, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\n"+script), scenarios.Vocabulary{})
	if err != nil {
		return "", "", err
	}
	req, err := chat.Read([]byte(`{"model":"m","messages":[{"role":"user","content":"` + said + `"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	turn, err := scenarios.Compile(s, profile(t, "openai"), "secret").Answer(0, scenarios.Ask{Request: req})
	if err != nil {
		return "", "", err
	}
	for _, c := range turn.Answer.Calls {
		arguments += c.Arguments
	}
	return turn.Answer.Text, arguments, nil
}

// What is JSON may be written as YAML, and each text in it may have values of the request.
func TestObjectsAreJSON(t *testing.T) {
	const say = `the \"best\" {{ of }} all`
	for _, c := range []struct{ script, text, arguments string }{
		{"model: [{calls: [{tool: t, arguments: {city: Oslo, days: 2, near: [Moss, 1.50, true, null, {}]}}]}]", "", `{"city":"Oslo","days":2,"near":["Moss",1.50,true,null,{}]}`},
		{"model: [{text: {city: Oslo}}]", `{"city":"Oslo"}`, ""},
		{"model: [{text: [Oslo, Lima]}]", `["Oslo","Lima"]`, ""},
		{"model: [{calls: [{tool: t, arguments: {q: '{{ user }}', n: '{{ turn }} of {{ turn }}'}}]}]", "", `{"q":"the \"best\" {{ of }} all","n":"1 of 1"}`},
		{"model: [{calls: [{tool: t, arguments: {q: '\"{{ if eq turn 1 }}\"a\"{{ else }}b{{ end }}'}}]}]", "", `{"q":"\"\"a\""}`},
		{"model: [{calls: [{tool: t, arguments: {'{{ user }}': {'{{': '{{ \"{{\" }}'}}}]}]", "", `{"{\u007b user }}":{"{\u007b":"{{"}}`},
		{`model: [{text: '"{{ user | in_json }}"'}]`, `"the \"best\" {{ of }} all"`, ""},
	} {
		text, arguments, err := answered(t, c.script, say)
		if err != nil || text != c.text || arguments != c.arguments {
			t.Errorf("%s\ngives  %q %q %v\nwanted %q %q", c.script, text, arguments, err, c.text, c.arguments)
		}
	}
}

func TestBadObjects(t *testing.T) {
	for script, wrong := range map[string]string{
		"model: [{calls: [{tool: t, arguments: {city: '{{ usr }}'}}]}]": `x.yaml:2:39: a template knows no "usr" (did you mean "user"?)`,
		"model: [{calls: [{tool: t, arguments: {city: '{{ '}}]}]":       "x.yaml:2:39: the template cannot be read",
		"model: [{calls: [{tool: t, arguments: {a: 1, a: 2}}]}]":        "x.yaml:2:46: ",
		"model: [{calls: [{tool: t, arguments: {a: 0x10}}]}]":           "x.yaml:2:43: JSON has no number 0x10",
		"model: [{reasoning: {a: 1}, text: b}]":                         "x.yaml:2:21: expected a text, found a mapping",
	} {
		if _, _, err := answered(t, script+"\n", "Hello"); err == nil || !strings.HasPrefix(err.Error(), wrong) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\ngives  %v\nwanted %s", script, err, wrong)
		}
	}
}

// In a conversation nothing is filled in, and a call that nothing refers to needs no name.
func TestObjectsOfConversations(t *testing.T) {
	s := scenario(t, `
tools: {look: {parameters: {q: string}, results: [{text: a}]}}
model:
  - calls: [{tool: look, arguments: {q: '{{ user }}'}}, {tool: look, arguments: {q: b}}]
  - text: Done.
`)
	calls := scenarios.Compile(s, profile(t, "openai"), "secret").Turns[0].Answer.Calls
	if calls[0].Arguments != `{"q":"{{ user }}"}` || calls[0].ID == calls[1].ID || calls[0].ID == "" {
		t.Errorf("the calls are %+v", calls)
	}
}
