package dialect_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Requests of each dialect, with what clients get wrong.
var someRequests = []string{
	`{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","tool_call_id":"a","content":"4 C"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]}`,
	`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"4 C"}],"is_error":true}]}]}`,
	`{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"x"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"4 C"}]}`,
	`{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"s"}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"result":"4 C"}}}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}]}`,
	`{"messages":[[],{"role":7},{"role":"tool","content":{}},null],"tools":[{"function":null},3],"tool_choice":{"type":"function"}}`,
	`{"messages":[{"role":"user","content":"\ud800"}],"messages":{},"input":"Hi","contents":[{"parts":[{}]}],"stream":"yes"}`,
}

// Whatever a client sends, each dialect reads it, each profile judges it, and every place that is
// named is there.
func FuzzRequests(f *testing.F) {
	for _, body := range someRequests {
		f.Add([]byte(body))
	}
	all := profiles.All()
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, d := range dialect.All() {
			req, err := d.Read(body)
			if err != nil {
				continue // it is not JSON object
			}
			for i, m := range req.Messages {
				req.AnswersTo(i)
				if m.Node != nil && req.Body.At(m.Node.Pointer()) == nil && !doubled(req.Body) {
					t.Errorf("%s: message %d is not at %s", d.Name, i, m.Node.Pointer())
				}
			}
			d.DemandsOf(req)
			for _, p := range all {
				if p.Speaks == d {
					rulebook.Refuse(p, req)
					rulebook.CheckRequest(t.Context(), p, nil, &trace.Exchange{Request: req, Number: 1})
				}
			}
		}
	})
}

// doubled reports whether a key occurs twice in an object, so that one of its values has no pointer
// of its own.
func doubled(n *wire.Node) bool { return n.DoubledKey() != nil }

// said is what is compared of an answer.
type said struct {
	Text  string
	Calls []string
}

func saidBy(a *wire.Answer) said {
	s := said{Text: a.Text}
	for _, c := range a.Calls {
		var value any
		json.Unmarshal([]byte(c.Arguments), &value)
		s.Calls = append(s.Calls, fmt.Sprintf("%s %v", c.Name, value))
	}
	return s
}

// What is written in any dialect, whole or in any delivery of a stream, is read back as it was
// said.
func FuzzAnswers(f *testing.F) {
	f.Add("Lima is warmer.", "I need both cities.", "Oslo", byte(2), byte(0))
	f.Add("é\r\n\u2028 \"x\" \\ 🌍", "", "\x00\x7f", byte(1), byte(3))
	f.Add("", "", "", byte(1), byte(1))
	f.Fuzz(func(t *testing.T, text, reasoning, argument string, calls, chunk byte) {
		text, reasoning = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(reasoning, "?")
		arguments, err := json.Marshal(map[string]string{"city": strings.ToValidUTF8(argument, "?")})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dialect.All() {
			p, err := profiles.Get(d.Standard)
			if err != nil {
				t.Fatal(err)
			}
			a := &wire.Answer{Text: text, Chunk: int(chunk), Finish: wire.FinishStop}
			if p.Shape.Traits().Reasoning && reasoning != "" {
				a.Reasoning = &reasoning
			}
			for i := range int(calls % 4) {
				a.Finish = wire.FinishCalls
				a.Calls = append(a.Calls, wire.AnswerCall{ID: fmt.Sprintf("call_%d", i), Name: "get_weather", Arguments: string(arguments)})
			}
			checkReadBack(t, d, p, a)
		}
	})
}

func checkReadBack(t *testing.T, d *wire.Dialect, p *profiles.Profile, a *wire.Answer) {
	t.Helper()
	reply, want := wire.Reply{ID: "id", Model: "m", Created: 1, Usage: true}, saidBy(a)
	compare := func(how string, body []byte, streamed bool) {
		t.Helper()
		got, err := d.ReadAnswer(body, streamed)
		if err != nil {
			t.Errorf("%s, %s: %v\n%s", d.Name, how, err, body)
			return
		}
		if back := saidBy(got); !reflect.DeepEqual(back, want) {
			t.Errorf("%s, %s: got %q, want %q\n%s", d.Name, how, back, want, body)
		}
	}
	compare("whole", p.Shape.Write(a, reply), false)
	events := append(p.Shape.Stream(a, reply), p.Shape.End()...)
	for _, delivery := range d.Deliveries() {
		if delivery.Streams() && delivery != wire.DeliverSocket {
			compare(string(delivery), bytes.Join(delivery.Writes(events), nil), true)
		}
	}
}

// Whatever a provider answers, each dialect reads it or says why not.
func FuzzReadAnswers(f *testing.F) {
	for _, d := range dialect.All() {
		p, err := profiles.Get(d.Standard)
		if err != nil {
			f.Fatal(err)
		}
		a := &wire.Answer{Text: "Hi", Finish: wire.FinishCalls, Calls: []wire.AnswerCall{{ID: "a", Name: "f", Arguments: "{}"}}}
		f.Add(p.Shape.Write(a, wire.Reply{ID: "id"}))
		f.Add(bytes.Join(wire.DeliverSSE.Writes(p.Shape.Stream(a, wire.Reply{ID: "id"})), nil))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, d := range dialect.All() {
			d.ReadAnswer(body, false)
			d.ReadAnswer(body, true)
		}
	})
}
