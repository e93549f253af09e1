package profiles_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// oddArguments are arguments that a model may write, and that are not always an object.
var oddArguments = []string{`{"n":1}`, `{}`, "", " ", "null", "{n: 1}", `{"n":`, "[1]", `"a"`, "7", "{\n}"}

// TestQuirksTakeWhatAModelWrites: no quirk fails at an answer, whatever its arguments are and
// wherever it breaks off.
func TestQuirksTakeWhatAModelWrites(t *testing.T) {
	written := 0
	for _, name := range []string{"openai", "anthropic", "openai-responses", "gemini-3"} {
		p, err := profiles.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range p.Speaks.AllQuirks() {
			written += writeWithQuirk(t, p, q, "", 0)
			for _, arguments := range oddArguments {
				written += writeWithQuirk(t, p, q, arguments, 2)
			}
		}
	}
	if written == 0 {
		t.Error("no answer was written")
	}
}

// writeWithQuirk writes an answer with so many calls as a document and as a stream, and returns how
// many of them the quirk changed.
func writeWithQuirk(t *testing.T, p *profiles.Profile, q wire.Quirk, arguments string, calls int) (written int) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s under %s, %d calls with %q: %v", q.Name, p.Name, calls, arguments, v)
		}
	}()
	answer := &wire.Answer{Text: "One moment.", Finish: wire.FinishStop, Usage: wire.Usage{Prompt: 40, Completion: 12}}
	for n := range calls {
		answer.Finish = wire.FinishCalls
		answer.Calls = append(answer.Calls, wire.AnswerCall{ID: fmt.Sprintf("call_%d", n), Name: "look", Arguments: arguments})
	}
	if q.Answer != nil {
		q.Answer(answer)
	}
	reply := wire.Reply{ID: "id_1", Model: "m"}
	if q.Whole != nil {
		whole := p.Shape.Write(answer, reply)
		q.Whole(whole)
		q.Whole(whole[:len(whole)/2])
		q.Whole(p.Error(500, p.WordsFor(500)))
		written++
	}
	if q.Events != nil {
		events := p.Shape.Stream(answer, reply)
		q.Events(append(slices.Clone(events), p.Shape.End()...))
		for n := 1; n < len(events); n++ {
			q.Events(slices.Clone(events[:n]))
		}
		q.Events(p.Shape.Failure(p.InBandError(500, p.WordsFor(500)), nil))
		written++
	}
	return written
}
