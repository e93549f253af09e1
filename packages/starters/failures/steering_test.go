package failures_test

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"

	"github.com/loopproof/loopproof/protocol"
)

// testSteering lets the user say something while the task runs, which it answers with.
func (p program) testSteering(t *testing.T) {
	t.Helper()
	p.run(t, func(stdin io.Writer, lines *bufio.Scanner) {
		for _, said := range []string{"And in Lima?", "\"Grüße\""} {
			task, err := json.Marshal(protocol.Task{
				Type: protocol.TypeTask, ID: "t1", Dialect: "chat", BaseURL: "http://127.0.0.1:1/v1", Model: "m", Profile: "openai", Prompts: []string{"steering"},
				Tools: []protocol.Tool{}, MaxTurns: 8, TimeoutMS: 10_000, Steering: true,
			})
			must(t, err)
			send(t, stdin, string(task))
			line, err := json.Marshal(protocol.PromptLine{Type: protocol.TypePrompt, ID: "t1", Text: said})
			must(t, err)
			send(t, stdin, string(line))
			if !lines.Scan() {
				t.Fatal("it ended without an outcome")
			}
			var got protocol.Outcome
			must(t, json.Unmarshal(lines.Bytes(), &got))
			if got.Status != protocol.Completed || got.Text != said {
				t.Errorf("the outcome is %s, want the text %q", lines.Text(), said)
			}
		}
	})
}
