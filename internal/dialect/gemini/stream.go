package gemini

import "github.com/loopproof/loopproof/internal/wire"

// Stream returns the answer as the chunks of a stream: thoughts, pieces of the text, then calls,
// each of which is whole. The reason to stop is in the last one.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	said := s.pieces(a)
	if s.EndChunk || len(said) == 0 {
		said = append(said, s.endPart(a))
	}
	events, tokens := make([]wire.Event, len(said)), wire.NewTokens(a)
	for i, parts := range said {
		next := tokens.Next(textIn(parts))
		if i < len(said)-1 {
			events[i].Data = s.chunk(r, withTokens(s.candidate(parts, nil), next), s.usage(wire.Usage{Prompt: a.Usage.Prompt}))
			continue
		}
		last := a
		if s.EndChunk { // which says nothing of calls
			last = &wire.Answer{Finish: a.Finish}
		}
		candidate := withSources(withTokens(s.candidate(parts, last), next), a)
		events[i] = wire.Event{Data: s.chunk(r, candidate, s.usage(a.Usage)), Finish: true}
	}
	return events
}

// textIn returns the text in the parts of a chunk that is no thought.
func textIn(parts []any) string {
	if len(parts) == 0 {
		return ""
	}
	raw, _ := parts[0].(wire.Raw)
	if part := wire.Parsed(raw); !part.Get("thought").True() {
		return part.Get("text").Text()
	}
	return ""
}

// pieces returns the parts of each chunk that says something.
func (s *Shape) pieces(a *wire.Answer) (said [][]any) {
	say := func(part wire.Raw) { said = append(said, []any{part}) }
	if a.Reasoning != nil && *a.Reasoning != "" && !s.Thought.Empty() {
		say(s.Thought.JSON(wire.Values{"text": *a.Reasoning}))
	}
	for _, raw := range a.Blocks {
		say(raw)
	}
	if text := a.Text + a.Refusal; text != "" {
		pieces := a.Pieces(text)
		for i, piece := range pieces {
			signature := ""
			if !s.EndChunk && i == len(pieces)-1 {
				signature = a.Signature
			}
			say(s.text(piece, signature))
		}
	}
	var calls []any
	for _, c := range a.Calls {
		if !s.CallsTogether {
			say(s.call(c))
			continue
		}
		calls = append(calls, s.call(c))
	}
	if len(calls) > 0 {
		said = append(said, calls)
	}
	return said
}

// endPart is the empty text with which a stream ends. That of an answer has its signature.
func (s *Shape) endPart(a *wire.Answer) []any {
	if a.Text+a.Refusal == "" && len(a.Calls) == 0 && !s.EndChunk {
		return nil
	}
	return []any{s.text("", a.Signature)}
}

// End returns no mark: a stream ends with the connection.
func (s *Shape) End() []wire.Event { return nil }

// Failure returns the error in the middle of a stream, as a payload of its own.
func (s *Shape) Failure(payload []byte, _ []wire.Event) []wire.Event {
	return []wire.Event{{Data: payload, Failure: true}}
}
