package linear_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/linear"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// answers are what a model may say in a size.
var answers = map[string]func(n int) *wire.Answer{
	"a long text": func(n int) *wire.Answer {
		return &wire.Answer{Text: strings.Repeat("word ", n), Chunk: 5, Finish: wire.FinishStop}
	},
	"long arguments": func(n int) *wire.Answer {
		return &wire.Answer{Finish: wire.FinishCalls, Calls: []wire.AnswerCall{{ID: "c", Name: "f", Arguments: `{"a":"` + strings.Repeat("word ", n) + `"}`}}}
	},
	"many calls": func(n int) *wire.Answer {
		a := &wire.Answer{Finish: wire.FinishCalls}
		for i := range n {
			a.Calls = append(a.Calls, wire.AnswerCall{ID: fmt.Sprintf("c%d", i), Name: "f", Arguments: `{"a":1}`})
		}
		return a
	},
}

// Answers of every dialect are read in linear time, whole and as streams, also where a stream is
// cut or its last event comes again.
func TestAnswers(t *testing.T) {
	for _, w := range dialects {
		p, err := profiles.Get(w.profile)
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string]func(a *wire.Answer) []byte{
			"whole":    func(a *wire.Answer) []byte { return p.Shape.Write(a, wire.Reply{ID: "id"}) },
			"streamed": func(a *wire.Answer) []byte { return stream(p, a) },
			"cut":      func(a *wire.Answer) []byte { s := stream(p, a); return s[:len(s)*2/3] },
		}
		for said, answer := range answers {
			for form, written := range forms {
				t.Run(w.profile+"/"+said+"/"+form, func(t *testing.T) {
					linear.Check(t, func(n int) func() {
						body := written(answer(n))
						return func() { p.Speaks.ReadAnswer(body, form != "whole") }
					})
				})
			}
		}
		for name, text := range map[string]func(n int) string{
			"lines without data": func(n int) string { return strings.Repeat("event: x\n", n) },
			"empty events":       func(n int) string { return strings.Repeat("data: {}\n\n", n) },
			"comments":           func(n int) string { return strings.Repeat(":\n\n", n) },
			"one event of many lines": func(n int) string {
				return "data: {\n" + strings.Repeat("data: \n", n) + "data: }\n\n"
			},
			"one line":      func(n int) string { return "data: " + strings.Repeat("x", 8*n) },
			"carriage ends": func(n int) string { return strings.Repeat("data: {}\r\r", n) },
		} {
			t.Run(w.profile+"/"+name, func(t *testing.T) {
				linear.Check(t, func(n int) func() {
					body := []byte(text(n))
					return func() { p.Speaks.ReadAnswer(body, true) }
				})
			})
		}
	}
}

func stream(p *profiles.Profile, a *wire.Answer) []byte {
	return bytes.Join(wire.DeliverSSE.Writes(append(p.Shape.Stream(a, wire.Reply{ID: "id"}), p.Shape.End()...)), nil)
}
