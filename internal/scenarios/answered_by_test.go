package scenarios_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const plain = "loopproof: 1\ntitle: A test\n"

// TestAnsweredBy: the answer is said by a call of the tool on the wire, and is the same text for
// anyone who judges it.
func TestAnsweredBy(t *testing.T) {
	s := parse(t, plain+"prompt: Go.\ntools: {look: {results: [{text: a}]}}\nmodel:\n  - calls: [{as: a, tool: look, arguments: '{}'}]\n  - text: It is \"a\".")
	p, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	script := scenarios.Compile(s, p, "x")
	tool := &protocol.AnswerTool{Name: "finish", Argument: "result"}
	if turn := script.Turns[0].AnsweredBy(tool, script); turn != script.Turns[0] {
		t.Error("a turn with calls is another one")
	}
	turn := script.Turns[1].AnsweredBy(tool, script)
	if !turn.Final() || turn.Answer.Text != `It is "a".` {
		t.Errorf("the answer is %+v", turn.Answer)
	}
	said := turn.Shown(true, true)
	if said.Text != "" || said.Finish != wire.FinishCalls || len(said.Calls) != 1 || said.Calls[0].Arguments != `{"result":"It is \"a\"."}` || said.Calls[0].Name != "finish" || said.Calls[0].ID == "" {
		t.Errorf("it is said by %+v", said)
	}
	if script.Turns[1].AnsweredBy(nil, script) != script.Turns[1] {
		t.Error("by no tool it is another turn")
	}
}

func TestEndsInAnswer(t *testing.T) {
	const calls = "tools: {look: {results: [{text: a}]}}\nmodel:\n  - calls: [{as: a, tool: look, arguments: '{}'}]\n"
	for text, want := range map[string]bool{
		"prompt: Go.\n" + calls + "  - text: Done.":                             true,
		"prompt: Go.\n" + calls + "  - status: 503\n  - text: Done.":            true,
		"prompt: Go.\n" + calls + "  - text: Done.\n    finish: length":         false,
		"prompt: Go.\n" + calls + "  - text: ''":                                false,
		"prompt: Go.\n" + calls + "  - text: Done.\n    cut: {after: 2 events}": false,
		"prompts: [Go., And on.]\nmodel: [{text: One.}, {text: Two.}]":          false,
		"prompt: Go.\n" + calls + "  - text: Done.\n    content-type: text/css": false,
	} {
		if got := parse(t, plain+text).Facts().EndsInAnswer; got != want {
			t.Errorf("%v, want %v:\n%s", got, want, text)
		}
	}
}
