package selfcheck

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// Sample is one thing that the mock provider sends in the course of an ordinary answer.
type Sample struct {
	Profile  string
	Scenario string
	Kind     Kind
	JSON     []byte
}

// Kind says what a [Sample] is.
type Kind string

// The kinds of samples. Both belong to answers with the status 200.
const (
	Completion Kind = "completion" // of chat: the body of an answer that is not streamed
	Chunk      Kind = "chunk"      // of chat: the payload of one event of a stream
	Message    Kind = "message"    // of messages: the body of an answer that is not streamed
	Event      Kind = "event"      // of messages: the payload of one event of a stream

	Response      Kind = "response"       // of responses: the body of an answer that is not streamed
	ResponseEvent Kind = "response event" // of responses: the payload of one event of a stream
)

// created is the time of the samples, in Unix seconds.
const created = 1767225600

// Samples returns every answer and every chunk of every scenario under every profile that can say
// it. Steps that are odd on purpose, which name their quirks or a finish reason that no API knows,
// are left out.
func Samples() ([]Sample, error) {
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		return nil, err
	}
	var all []Sample
	for _, s := range library {
		for _, p := range profiles.All() {
			if s.Plays(p) {
				all = append(all, samplesOf(s, p)...)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no scenario can be played under any profile")
	}
	return all, nil
}

func samplesOf(s *scenarios.Scenario, p *profiles.Profile) []Sample {
	var all []Sample
	add := func(kind Kind, data []byte) {
		all = append(all, Sample{Profile: p.Name, Scenario: s.ID, Kind: kind, JSON: data})
	}
	for _, turn := range scenarios.Compile(s, p, "selfcheck").Turns {
		if turn.Fails() || len(turn.Step.Quirks) > 0 || odd(turn.Step) {
			continue
		}
		switch p.Dialect {
		case messages.Dialect:
			samplesOfMessages(p.Shape, turn.Answer, add)
			continue
		case gemini.Dialect: // its SDK has plain structs, which do not tell what an answer lacks: genai_test.go
			continue
		case responses.Dialect:
			samplesOfResponses(p.Shape, turn.Answer, add)
			continue
		}
		for _, usage := range []bool{false, true} {
			reply := wire.Reply{ID: "chatcmpl-selfcheck", Model: "loopproof", Created: created, Usage: usage}
			add(Completion, p.Shape.Write(turn.Answer, reply))
			for _, event := range p.Shape.Stream(turn.Answer, reply) {
				if event.Data != nil {
					add(Chunk, event.Data)
				}
			}
		}
	}
	return all
}

// samplesOfMessages adds an answer of the dialect messages. Pings say nothing, and no SDK decodes
// them.
func samplesOfMessages(shape wire.Shape, a *wire.Answer, add func(Kind, []byte)) {
	reply := wire.Reply{ID: "msg_01selfcheck", Model: "loopproof"}
	add(Message, shape.Write(a, reply))
	for _, event := range append(shape.Stream(a, reply), shape.End()...) {
		if !slices.Contains(event.Lines, "event: ping") {
			add(Event, event.Data)
		}
	}
}

// samplesOfResponses adds an answer of the dialect responses, and the events of one that broke off
// with an error.
func samplesOfResponses(shape wire.Shape, a *wire.Answer, add func(Kind, []byte)) {
	reply := wire.Reply{ID: "resp_selfcheck", Model: "loopproof", Created: created}
	add(Response, shape.Write(a, reply))
	events := shape.Stream(a, reply)
	for _, event := range events {
		add(ResponseEvent, event.Data)
	}
	failed := shape.Failure([]byte(`{"type":"error","code":"server_error","message":"It broke.","param":null}`), events[:2])
	add(ResponseEvent, failed[len(failed)-1].Data)
}
