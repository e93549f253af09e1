package agents_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/protocol"
)

func TestAnswers(t *testing.T) {
	type fields = map[string]string
	for name, c := range map[string]struct {
		answer agents.Answer
		output string
		want   protocol.Outcome
		bad    bool
	}{
		"text":               {answer: agents.Answer{Format: "text"}, output: "\x1b[1mHello.\x1b[0m\n", want: protocol.Outcome{Status: protocol.Completed, Text: "Hello."}},
		"json after a line":  {answer: agents.Answer{Format: "json", At: "/a/0"}, output: "Ready.\n{\"a\":[\"Hello.\"]}\n", want: protocol.Outcome{Status: protocol.Completed, Text: "Hello."}},
		"an empty text":      {answer: agents.Answer{Format: "json", At: "/a"}, output: `{"a":""}`, want: protocol.Outcome{Status: protocol.Completed}},
		"a failure":          {answer: agents.Answer{Format: "json", At: "/a", Failed: fields{"/bad": "true"}, Error: "/why"}, output: `{"bad":true,"why":"429"}`, want: protocol.Outcome{Status: protocol.Failed, Error: "429"}},
		"it gave up":         {answer: agents.Answer{Format: "json", At: "/a", Stopped: fields{"/type": "max_turns"}}, output: `{"type":"max_turns"}`, want: protocol.Outcome{Status: protocol.Stopped, Reason: "as its output says"}},
		"the last line":      {answer: agents.Answer{Format: "jsonl", At: "/t", Where: fields{"/k": "say"}}, output: "{\"k\":\"say\",\"t\":\"A\"}\n{\"k\":\"do\",\"t\":\"B\"}\n{\"k\":\"say\",\"t\":\"C\"}\n", want: protocol.Outcome{Status: protocol.Completed, Text: "C"}},
		"all lines":          {answer: agents.Answer{Format: "jsonl", At: "/t", Join: true}, output: "{\"t\":\"A\"}\nnoise\n{\"t\":\"C\"}\n", want: protocol.Outcome{Status: protocol.Completed, Text: "AC"}},
		"only other lines":   {answer: agents.Answer{Format: "jsonl", At: "/t", Where: fields{"/k": "say"}}, output: "{\"k\":\"end\"}\n", want: protocol.Outcome{Status: protocol.Completed}},
		"no JSON":            {answer: agents.Answer{Format: "json", At: "/a"}, output: "Killed", bad: true},
		"no answer in JSON":  {answer: agents.Answer{Format: "json", At: "/a"}, output: `{"b":1}`, bad: true},
		"no answer in lines": {answer: agents.Answer{Format: "jsonl", At: "/a"}, output: "", bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.answer.Read(c.output)
			if (err != nil) != c.bad {
				t.Fatal(err)
			}
			if got.Status != c.want.Status && !c.bad || got.Text != c.want.Text || got.Error != c.want.Error || got.Reason != c.want.Reason {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
