package refloop

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// framings are the ways in which a provider may frame a stream that say the same.
var framings = []wire.Framing{
	{}, {LineEnd: "\r\n"}, {LineEnd: "\r"}, {BOM: true}, {NoSpace: true}, {DataLines: true}, {DataLines: true, LineEnd: "\r\n", BOM: true, NoSpace: true},
}

// An answer is the same for the loop in every dialect, delivery and framing, and however its bytes
// are cut.
func FuzzCutAnswers(f *testing.F) {
	f.Add("Lima is warmer.", "I need both.", "Oslo", byte(2), byte(0), byte(0), []byte{1, 3})
	f.Add("é\r\n\u2028 \"x\" \\ 🌍", "", "\x00\x7f", byte(1), byte(3), byte(7), []byte{2})
	f.Add("data: [DONE]\n\n", ":", "\ufeff", byte(3), byte(1), byte(2), []byte{7, 1, 255})
	deliveries := slices.DeleteFunc(wire.Deliveries(), func(d wire.Delivery) bool { return !d.Streams() })
	for i := range len(framings) * len(deliveries) {
		f.Add("Hi", "hm", "x", byte(1), byte(0), byte(i), []byte{5})
	}
	f.Fuzz(func(t *testing.T, text, reasoning, argument string, calls, chunk, framed byte, lengths []byte) {
		framing, delivery := framings[int(framed)%len(framings)], deliveries[int(framed)/len(framings)%len(deliveries)]
		a := &wire.Answer{Text: strings.ToValidUTF8(text, "?"), Chunk: int(chunk), Finish: wire.FinishStop}
		arguments, err := json.Marshal(map[string]string{"city": strings.ToValidUTF8(argument, "?")})
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(calls % 4) {
			a.Finish = wire.FinishCalls
			a.Calls = append(a.Calls, wire.AnswerCall{ID: "call_" + string(rune('a'+i)), Name: "get_weather", Arguments: string(arguments)})
		}
		for _, d := range dialect.All() {
			p, err := profiles.Get(d.Standard)
			if err != nil {
				t.Fatal(err)
			}
			said := *a
			if thought := strings.ToValidUTF8(reasoning, "?"); p.Shape.Traits().Reasoning && thought != "" {
				said.Reasoning = &thought
			}
			events := append(p.Shape.Stream(&said, wire.Reply{ID: "id", Model: "m", Created: 1, Usage: true}), p.Shape.End()...)
			loop := DialectOf(protocol.Task{Dialect: d.Name})
			want := turnIn(t, d, loop, bytes.NewReader(bytes.Join(wire.DeliverSSE.Writes(events), nil)))
			stream := bytes.Join(delivery.FramedWrites(events, framing), nil)
			for _, r := range []io.Reader{bytes.NewReader(stream), &cutReader{data: stream, lengths: lengths}} {
				if diff := cmp.Diff(want, turnIn(t, d, loop, r)); diff != "" {
					t.Fatalf("%s, %s, %+v (-plain +framed):\n%s", d.Name, delivery, framing, diff)
				}
			}
		}
	})
}

// turnIn returns what the loop reads of the bytes of a stream. The ids that it makes up, where the
// provider gives none, are random.
func turnIn(t *testing.T, d *wire.Dialect, loop neutral.Dialect, r io.Reader) *neutral.Turn {
	t.Helper()
	turn := readTurn(t, loop, r)
	for i, c := range turn.Calls() {
		if d.Request.CallsByName {
			c.ID = "made up " + strconv.Itoa(i)
		}
	}
	return turn
}

func readTurn(t *testing.T, loop neutral.Dialect, r io.Reader) *neutral.Turn {
	t.Helper()
	events, stream := eventReader{newLineReader(r)}, loop.Stream()
	answer := &neutral.Answer{Dialect: loop}
	for {
		name, data, err := events.next()
		if err != nil {
			return answer.Turn()
		}
		pieces, done, err := stream.Event(name, data)
		if err != nil {
			t.Fatalf("%s: %v", loop.Name(), err)
		}
		answer.Pieces = append(answer.Pieces, pieces...)
		if done {
			return answer.Turn()
		}
	}
}
