package messages

import "github.com/loopproof/loopproof/internal/wire"

// Stream returns the answer as the events of a stream: the message without its content, then each
// block with its deltas, then why the model stopped.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	start := s.Answer
	if !s.Start.Empty() {
		start = s.Start
	}
	begun := a.Usage
	begun.Completion = 1
	message := start.JSON(wire.Values{
		"id": r.ID, "model": r.Model, "content": []any{}, "finish": nil, "usage": s.usage(s.Usage, begun),
	})
	events := []wire.Event{event("message_start", wire.Fields{{Key: "message", Value: message}})}
	for index, b := range s.blocks(a) {
		at := wire.Fields{{Key: "index", Value: index}}
		events = append(events, event("content_block_start", at.With("content_block", b.start)))
		if s.Pings && index < 2 {
			events = append(events, wire.Event{Lines: []string{"event: ping"}, Data: []byte(`{"type": "ping"}`)})
		}
		for _, delta := range b.deltas {
			events = append(events, event("content_block_delta", at.With("delta", delta)))
		}
		events = append(events, event("content_block_stop", at))
	}
	stopped := wire.Fields{{Key: "stop_reason", Value: s.finish(a.Finish)}}
	if a.StopSequence != "" {
		stopped = wire.Fields{{Key: "stop_reason", Value: atSequence}, {Key: "stop_sequence", Value: a.StopSequence}}
	} else if !s.BareStop {
		stopped = stopped.With("stop_sequence", nil)
	}
	if s.StopDetails {
		stopped = stopped.With("stop_details", nil)
	}
	if a.Container != "" {
		stopped = stopped.With("container", container(a))
	}
	said := wire.Fields{{Key: "delta", Value: stopped}, {Key: "usage", Value: s.usage(s.EndUsage, a.Usage)}}
	if managed, is := contextManaged(r); is {
		said = append(said, managed)
	}
	end := event("message_delta", said)
	end.Finish = true
	return append(events, end)
}

// End returns the event that ends a stream.
func (s *Shape) End() []wire.Event { return []wire.Event{event("message_stop", nil)} }

// Failure returns the event of an error in the middle of a stream.
func (s *Shape) Failure(payload []byte, _ []wire.Event) []wire.Event {
	return []wire.Event{{Lines: []string{"event: error"}, Data: payload, Failure: true}}
}

// event returns an event whose payload begins with its name.
func event(name string, rest wire.Fields) wire.Event {
	payload := append(wire.Fields{{Key: "type", Value: name}}, rest...)
	return wire.Event{Lines: []string{"event: " + name}, Data: payload.JSON()}
}
