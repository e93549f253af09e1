package dialect_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// round is a conversation of one round of calls, as far as every dialect can say it.
type round struct {
	Prompt, Text string
	Calls        []called
}

type called struct {
	Arguments map[string]string
	Result    string
}

// A conversation stays the same while it goes from one dialect to the next: the provider writes the
// answer, the loop reads it and sends it back with the results, and what the provider reads of that
// is said in the next dialect.
func FuzzAcrossDialects(f *testing.F) {
	f.Add("Lima?", "I look it up.", "Oslo", "4 C", byte(2), byte(0), false)
	f.Add("é\r\n\u2028 \"x\" \\ 🌍", "{\"text\":1}", "\x7f", "{\"result\":\"4 C\"}", byte(1), byte(3), true)
	f.Add("b", "", "", "", byte(3), byte(1), true)
	f.Add("b", " ", "null", "[]", byte(1), byte(1), false)
	f.Add("b", "", "Oslo", " ", byte(2), byte(0), false)
	f.Fuzz(func(t *testing.T, prompt, text, argument, result string, calls, chunk byte, streamed bool) {
		start := round{Prompt: "?" + valid(prompt), Text: emptyIfBlank(text)}
		for i := range 1 + int(calls%3) {
			start.Calls = append(start.Calls, called{map[string]string{"city": valid(argument)}, fmt.Sprintf("%s%.*d", emptyIfBlank(result), i, i)})
		}
		said := start
		for _, d := range dialect.All() {
			said = throughDialect(t, d, said, int(chunk), streamed)
			if diff := cmp.Diff(start, said); diff != "" {
				t.Fatalf("it is another one behind %s (-before +behind):\n%s", d.Name, diff)
			}
		}
	})
}

func valid(text string) string { return strings.ToValidUTF8(text, "?") }

// emptyIfBlank returns a text that every provider takes back: Messages takes no blank text of the model,
// and Converse no blank result.
func emptyIfBlank(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return valid(text)
}

// throughDialect lets the model say a round of calls in a dialect and the loop send it back, and
// returns what the provider reads of that.
func throughDialect(t *testing.T, d *wire.Dialect, said round, chunk int, streamed bool) round {
	t.Helper()
	p, err := profiles.Get(d.Standard)
	if err != nil {
		t.Fatal(err)
	}
	task := protocol.Task{Dialect: d.Name, Profile: p.Name, Model: "m", Stream: streamed}
	loop := refloop.DialectOf(task)
	turn := readTurn(t, loop, p.Shape, said.answer(chunk), streamed)
	messages := []neutral.Message{{Role: neutral.User, Parts: []neutral.Part{&neutral.Text{Text: said.Prompt}}}}
	messages = append(messages, loop.Echo(task, turn)...)
	var results []*neutral.Result
	for i, c := range turn.Calls() {
		results = append(results, &neutral.Result{CallID: c.ID, Name: c.Name, Text: said.Calls[i].Result})
	}
	messages = append(messages, loop.Answer(task, results)...)
	body, err := loop.Write(&neutral.Request{Task: task, Model: task.Model, Stream: streamed, Messages: messages, Tools: []protocol.Tool{{Name: "get_weather"}}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := d.Read(body)
	if err != nil {
		t.Fatalf("%s: %v\n%s", d.Name, err, body)
	}
	return roundIn(t, req)
}

// answer returns what the model says in a round.
func (r round) answer(chunk int) *wire.Answer {
	a := &wire.Answer{Text: r.Text, Chunk: chunk, Finish: wire.FinishCalls}
	for i, c := range r.Calls {
		arguments, _ := json.Marshal(c.Arguments)
		a.Calls = append(a.Calls, wire.AnswerCall{ID: fmt.Sprintf("call_%d", i), Name: "get_weather", Arguments: string(arguments)})
	}
	return a
}

// readTurn lets the loop read an answer that the provider writes.
func readTurn(t *testing.T, loop neutral.Dialect, shape wire.Shape, a *wire.Answer, streamed bool) *neutral.Turn {
	t.Helper()
	reply := wire.Reply{ID: "id", Model: "m", Created: 1, Usage: true}
	var pieces []neutral.Piece
	if !streamed {
		read, err := loop.Read(shape.Write(a, reply))
		if err != nil {
			t.Fatalf("%s: %v", loop.Name(), err)
		}
		return (&neutral.Answer{Dialect: loop, Pieces: read}).Turn()
	}
	stream := loop.Stream()
	for _, e := range slices.Concat(shape.Stream(a, reply), shape.End()) {
		if e.Data == nil {
			continue // a comment
		}
		read, done, err := stream.Event(nameOf(e), e.Data)
		if err != nil {
			t.Fatalf("%s: %v", loop.Name(), err)
		}
		pieces = append(pieces, read...)
		if done {
			break
		}
	}
	return (&neutral.Answer{Dialect: loop, Pieces: pieces}).Turn()
}

// roundIn returns the round that a provider reads in a request.
func roundIn(t *testing.T, req *wire.Request) (r round) {
	t.Helper()
	results := map[string]string{}
	var ids []string
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			var arguments map[string]string
			if err := json.Unmarshal([]byte(c.Arguments), &arguments); err != nil {
				t.Fatalf("the arguments are %s: %v", c.Arguments, err)
			}
			ids, r.Calls = append(ids, c.ID), append(r.Calls, called{Arguments: arguments})
		}
		for _, result := range m.Results {
			results[result.CallID] = result.Content.Text
		}
		switch {
		case m.Role == wire.User && len(m.Results) == 0:
			r.Prompt += m.Content.Text
		case m.Role == wire.Assistant:
			r.Text += m.Content.Text
		}
	}
	for i, id := range ids {
		r.Calls[i].Result = results[id]
	}
	return r
}

// nameOf returns the name of an event, "" for one without.
func nameOf(e wire.Event) string {
	for _, line := range e.Lines {
		if name, is := strings.CutPrefix(line, "event: "); is {
			return name
		}
	}
	return ""
}
