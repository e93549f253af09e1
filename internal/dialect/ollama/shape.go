package ollama

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// Shape is how a server writes answers: templates that look like what it sends. The yaml tags are
// the keys of a profile file.
type Shape struct {
	// Answer is a whole answer, or the last line of a stream, and Chunk any other line, with the
	// places of [AnswerPlaces].
	Answer wire.Template `yaml:"answer"`
	Chunk  wire.Template `yaml:"chunk"`

	// Message is what the model said in it, with the places of [MessagePlaces], and Call a call in
	// it, with those of [CallPlaces].
	Message wire.Template `yaml:"message"`
	Call    wire.Template `yaml:"call"`
}

// The places that the templates may have.
var (
	AnswerPlaces  = []string{"model", "created", "message", "finish", "prompt", "completion"}
	MessagePlaces = []string{"text", "thinking", "calls"}
	CallPlaces    = []string{"id", "index", "name", "arguments"}
)

// StopAs returns how an answer says that the model stopped for a reason. After calls it says stop.
func (s *Shape) StopAs(f wire.Finish) (said, word string) { return API.Terms.StopWith(finishWord(f)) }

func finishWord(f wire.Finish) string {
	return wire.FinishWord(f, map[wire.Finish]string{wire.FinishCalls: "stop"})
}

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape { c := *s; return &c }

// Traits returns what answers of the server can show. Ids of calls, where it sends them, are loose.
func (s *Shape) Traits() wire.Traits {
	t := wire.Traits{Reasoning: s.Message.Has("thinking"), CallsWithoutIDs: true, LooseIDs: s.Call.Has("id")}
	if t.Reasoning {
		t.ReasoningField = "thinking"
	}
	return t
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/chunk", s.Chunk, true, AnswerPlaces)
	c.Template("/message", s.Message, true, MessagePlaces)
	c.Template("/call", s.Call, true, CallPlaces)
}

// said is a part of what the model says.
type said struct {
	text, thinking string
	calls          []wire.AnswerCall
	first          int // the index of the first of the calls
}

func (s *Shape) values(r wire.Reply, part said) wire.Values {
	message := wire.Values{}
	if part.text != "" {
		message["text"] = part.text
	}
	if part.thinking != "" {
		message["thinking"] = part.thinking
	}
	var calls []any
	for i, c := range part.calls {
		call := wire.Values{"index": part.first + i, "name": c.Name, "arguments": arguments(c.Arguments)}
		if id := cmp.Or(c.ID, c.LooseID); id != "" {
			call["id"] = id
		}
		calls = append(calls, s.Call.JSON(call))
	}
	if calls != nil {
		message["calls"] = calls
	}
	created := time.Unix(r.Created, 0).UTC().Format(time.RFC3339Nano)
	return wire.Values{"model": r.Model, "created": created, "message": s.Message.JSON(message)}
}

// arguments returns the arguments of a call as an object, in one line: the client for Go reads a whole
// answer as one, too.
func arguments(written string) any {
	var line bytes.Buffer
	switch {
	case wire.BlankArguments(written):
		return wire.Fields{}
	case !json.Valid([]byte(written)):
		return written // which no model of Ollama's can say
	case strings.ContainsAny(written, "\r\n") && json.Compact(&line, []byte(written)) == nil:
		return wire.Raw(line.Bytes())
	default:
		return wire.Raw(written)
	}
}

func (s *Shape) end(a *wire.Answer, r wire.Reply, last said) wire.Raw {
	v := s.values(r, last)
	v["finish"], v["prompt"], v["completion"] = finishWord(a.Finish), a.Usage.Prompt, a.Usage.Completion
	return inForm(s.Answer.JSON(v), r)
}

func thinkingOf(a *wire.Answer) string {
	if a.Reasoning == nil {
		return ""
	}
	return *a.Reasoning
}

// Write returns the answer as one object.
func (s *Shape) Write(a *wire.Answer, r wire.Reply) []byte {
	return s.end(a, r, said{text: a.Text, thinking: thinkingOf(a), calls: a.Calls})
}

// Stream returns the answer as lines: what the model thinks, says and calls, and last why it
// stopped.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) (events []wire.Event) {
	chunk := func(part said) { events = append(events, wire.Event{Data: inForm(s.Chunk.JSON(s.values(r, part)), r)}) }
	for _, piece := range a.Pieces(thinkingOf(a)) {
		chunk(said{thinking: piece})
	}
	for _, piece := range a.Pieces(a.Text) {
		chunk(said{text: piece})
	}
	for i, c := range a.Calls {
		chunk(said{calls: []wire.AnswerCall{c}, first: i})
	}
	return append(events, wire.Event{Data: s.end(a, r, said{}), Finish: true})
}

// End returns nothing: the last line says that it is.
func (s *Shape) End() []wire.Event { return nil }

// Failure returns the line of an error.
func (s *Shape) Failure(payload []byte, _ []wire.Event) []wire.Event {
	return []wire.Event{{Data: payload, Failure: true}}
}
