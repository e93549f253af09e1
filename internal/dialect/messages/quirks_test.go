package messages_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// smallStream is a stream with a text, as little of each event as quirks look at.
var smallStream = []wire.Event{
	{Data: []byte(`{"type":"message_start"}`)},
	{Data: []byte(`{"type":"content_block_start","index":0,"content_block":{"type":"text"}}`)},
	{Data: []byte(`{"type":"content_block_stop","index":0}`)},
	{Data: []byte(`{"type":"message_stop"}`)},
}

func TestQuirks(t *testing.T) {
	for name, want := range map[string]struct {
		events int
		holds  string // somewhere in the payloads
	}{
		"unknown-events":      {7, `{"type":"progress","index":7,"delta":{"type":"steps","done":1}}`},
		"pings-anywhere":      {7, `{"type": "ping"}`},
		"unknown-deltas":      {5, `{"type":"content_block_delta","index":0,"delta":{"type":"confidence_delta","confidence":0.9}}`},
		"citations":           {5, `"citations_delta"`},
		"message-start-twice": {5, `{"type":"message_start"}` + "\n" + `{"type":"message_start"}`},
		"unknown-keys":        {4, `{"type":"message_start","p":[1,"abc"],"x_server":{"queue":2,"text":"none"},"trace":null}`},
		"spaces-in-payloads":  {4, `{"type":"message_start"     }`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range messages.Quirks() {
				if q.Name != name {
					continue
				}
				changed := q.Events(smallStream)
				var all [][]byte
				for _, e := range changed {
					all = append(all, e.Data)
				}
				if len(changed) != want.events || !bytes.Contains(bytes.Join(all, []byte("\n")), []byte(want.holds)) {
					t.Errorf("the stream becomes\n%s", bytes.Join(all, []byte("\n")))
				}
				return
			}
			t.Error("there is no such quirk")
		})
	}
}

// calling is a stream with a call, as a profile writes it, of which quirks look at more than types.
func calling(t *testing.T, arguments string) []wire.Event {
	t.Helper()
	p, err := profiles.Get("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	answer := &wire.Answer{Text: "One moment.", Calls: []wire.AnswerCall{{ID: "t1", Name: "look", Arguments: arguments}}, Finish: wire.FinishCalls, Usage: wire.Usage{Prompt: 40, Completion: 12}}
	return append(p.Shape.Stream(answer, wire.Reply{ID: "msg_1"}), p.Shape.End()...)
}

// What a client makes of a stream with a quirk that adds or leaves out nothing of the message is
// the message.
func TestQuirksOfCalls(t *testing.T) {
	for name, c := range map[string]struct {
		arguments string
		has, lost string // somewhere in the payloads, and nowhere
	}{
		"unknown-blocks":          {`{"n":1}`, `"index":1,"content_block":{"type":"progress_update"`, `"index":1,"content_block":{"type":"tool_use"`},
		"fragments-none":          {`{}`, `"input":{}`, "input_json_delta"},
		"input-in-the-start":      {`{"n":1}`, `"input":{"n":1}`, "input_json_delta"},
		"message-start-bare":      {`{"n":1}`, `"message":{"model":"","id":"msg_1","content":[]`, `"role"`},
		"message-start-spliced":   {`{"n":1}`, `"id":"t1lost"`, `"id":"t1lostlost"`},
		"usage-in-several-deltas": {`{"n":1}`, `"output_tokens":2}`, "nothing"},
		"end-usage-output-only":   {`{"n":1}`, `"usage":{"output_tokens":12}`, `"usage":{"input_tokens":40,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":12}`},
		"end-usage-null":          {`{"n":1}`, `"input_tokens":null`, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			q, ok := messages.API.Quirk(name)
			if !ok {
				t.Fatal("there is no such quirk")
			}
			var all []string
			for _, e := range q.Events(calling(t, c.arguments)) {
				all = append(all, string(e.Data))
			}
			stream := strings.Join(all, "\n")
			if !strings.Contains(stream, c.has) || strings.Contains(stream, c.lost) {
				t.Errorf("the stream becomes\n%s", stream)
			}
		})
	}
}

// A call with an input keeps its pieces where only those without input lose theirs.
func TestFragmentsNoneKeepsInputs(t *testing.T) {
	q, _ := profiles.QuirkNamed(profiles.All(), "fragments-none")
	before := calling(t, `{"n":1}`)
	if after := q.Events(before); len(after) != len(before) {
		t.Errorf("%d events of %d are left", len(after), len(before))
	}
}

// TestEveryQuirkShows: a quirk changes something in each delivery in which it says that it shows.
func TestEveryQuirkShows(t *testing.T) {
	p, err := profiles.Get("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range messages.API.AllQuirks() {
		if q.Does == "" || strings.HasSuffix(q.Does, ".") {
			t.Errorf("%s: a quirk has half a sentence that says what the provider does", q.Name)
		}
		stream, whole := false, false
		for _, answer := range answersOfAllKinds() {
			changed := answer
			changed.Calls = slices.Clone(answer.Calls)
			if q.Answer != nil {
				q.Answer(&changed)
			}
			stream = stream || !bytes.Equal(streamed(p, &answer, wire.Quirk{}), streamed(p, &changed, q))
			body := p.Shape.Write(&changed, wire.Reply{ID: "msg_1"})
			if q.Whole != nil {
				body = q.Whole(body)
			}
			whole = whole || !bytes.Equal(body, p.Shape.Write(&answer, wire.Reply{ID: "msg_1"}))
		}
		if !stream || q.Shows(wire.DeliverJSON) && !whole {
			t.Errorf("%s changes something in a stream: %v, in a whole answer: %v", q.Name, stream, whole)
		}
	}
}

// answersOfAllKinds are answers of the kinds that quirks are about.
func answersOfAllKinds() (all []wire.Answer) {
	for _, arguments := range []string{`{"n":1}`, ""} {
		for _, text := range []string{"", "One moment."} {
			all = append(all, wire.Answer{
				Text: text, Calls: []wire.AnswerCall{{ID: "t1", Name: "look", Arguments: arguments}}, Finish: wire.FinishStop,
				Details: []wire.ReasoningBlock{{Type: wire.BlockText, Text: "I look it up.", Signature: "sig"}},
			})
		}
	}
	return all
}

// streamed returns the bytes of a stream, with an error at its end.
func streamed(p *profiles.Profile, a *wire.Answer, q wire.Quirk) []byte {
	var framing wire.Framing
	events := append(p.Shape.Stream(a, wire.Reply{ID: "msg_1"}), p.Shape.End()...)
	events = append(events, p.Shape.Failure([]byte(`{"type":"error","error":{"type":"api_error","message":"it broke"}}`), nil)...)
	if q.Events != nil {
		events = q.Events(events)
	}
	if q.Framing != nil {
		q.Framing(&framing)
	}
	bytes := bytes.Join(wire.DeliverSSE.FramedWrites(events, framing), nil)
	if framing.Pause > 0 || framing.LeftOpen || framing.NoCharset {
		bytes = append(bytes, "later"...)
	}
	return bytes
}
