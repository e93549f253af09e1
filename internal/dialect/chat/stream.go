package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Done is the payload that ends a stream.
const Done = "[DONE]"

// End returns the mark that ends a stream.
func (s *Shape) End() []wire.Event { return []wire.Event{{Data: []byte(Done)}} }

// Failure returns the event of an error in the middle of a stream.
func (s *Shape) Failure(payload []byte, _ []wire.Event) []wire.Event {
	return []wire.Event{{Data: payload, Failure: true}}
}

// Stream returns the answer as the events of a stream, with its comments and without the [Done]
// mark.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	deltas := s.deltas(a)
	events := make([]wire.Event, 0, len(s.Chunks.Comments)+len(deltas)+3) // with prelude, counts, and what ends the stream
	for _, c := range s.Chunks.Comments {
		events = append(events, wire.Event{Comment: c})
	}
	if prelude := s.Chunks.Prelude; !prelude.Empty() {
		events = append(events, wire.Event{Data: prelude.JSON(values(r))})
	}
	c := newChunks(s, a, r)
	last := len(deltas) - 1
	for i, d := range deltas[:last] {
		events = append(events, wire.Event{Data: c.delta(i, d)})
	}
	events = append(events, wire.Event{Data: c.finish(deltas[last]), Finish: true})
	events = streamTokens(events, a)
	if counts := c.counts(); counts != nil {
		events = append(events, wire.Event{Data: counts})
	}
	for i, e := range events {
		if e.Data != nil {
			events[i].Data = fingerprinted(e.Data, r)
		}
	}
	return events
}

// chunks puts deltas into the chunks of one stream.
type chunks struct {
	shape  *StreamShape
	values wire.Values // of the chunk
	choice wire.Values // of a delta
	asked  bool
	usage  wire.Raw
	word   string // the finish reason
	again  wire.Raw
}

func newChunks(s *Shape, a *wire.Answer, r wire.Reply) *chunks {
	c := &chunks{shape: &s.Chunks, values: values(r), choice: wire.Values{}, asked: r.Usage, usage: s.usage(a.Usage), word: s.finish(a.Finish)}
	if s.Chunks.Usage == UsageWhenAsked && r.Usage {
		c.values["usage"] = nil // in all chunks but the one with the counts
	}
	if s.Chunks.Usage == UsageAgain {
		c.again = s.Chunks.Again.JSON(s.silence(a))
	}
	return c
}

func (c *chunks) delta(number int, d wire.Raw) []byte {
	first := c.shape.FirstChunk
	c.choice["delta"] = d
	if number > 0 || first.Empty() {
		return c.chunk(c.shape.Chunk, c.choice)
	}
	return c.chunk(first, c.choice)
}

func (c *chunks) finish(d wire.Raw) []byte {
	choice := wire.Values{"delta": d, "finish": c.word}
	if c.shape.Usage == UsageOnFinish || c.shape.Usage == UsageTwice {
		c.values["usage"], choice["usage"] = c.usage, c.usage
	}
	last := c.shape.FinishChunk
	if last.Empty() {
		last = c.shape.Chunk
	}
	return c.chunk(last, choice)
}

func (c *chunks) chunk(t wire.Template, choice wire.Values) []byte {
	c.values["choices"] = []any{c.shape.Choice.JSON(choice)}
	return t.JSON(c.values)
}

// counts returns the chunk that follows the one with the finish reason, or nil.
func (c *chunks) counts() []byte {
	switch {
	case c.shape.Usage == UsageAgain:
		c.values["usage"] = c.usage
		return c.chunk(c.shape.Chunk, wire.Values{"delta": c.again, "finish": c.word})
	case c.asked && slices.Contains([]UsageChunk{UsageWhenAsked, UsageAlone, UsageTwice}, c.shape.Usage):
		c.values["usage"], c.values["choices"] = c.usage, []any{}
		return c.shape.Chunk.JSON(c.values)
	default:
		return nil
	}
}
