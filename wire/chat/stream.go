package chat

import "github.com/loopproof/loopproof/wire"

// Done is the payload that ends a stream.
const Done = "[DONE]"

// End returns the mark that ends a stream.
func (s *Shape) End() wire.Event { return wire.Event{Data: []byte(Done)} }

// Failure returns the event of an error in the middle of a stream.
func (s *Shape) Failure(payload []byte) wire.Event { return wire.Event{Data: payload, Failure: true} }

// Stream returns the answer as the events of a stream, with its comments and without the [Done] mark.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	var events []wire.Event
	for _, c := range s.Chunks.Comments {
		events = append(events, wire.Event{Comment: c})
	}
	c := newChunks(s, a, r)
	deltas := s.deltas(a)
	last := len(deltas) - 1
	for _, d := range deltas[:last] {
		events = append(events, wire.Event{Data: c.delta(d)})
	}
	events = append(events, wire.Event{Data: c.finish(deltas[last]), Finish: true})
	if counts := c.counts(); counts != nil {
		events = append(events, wire.Event{Data: counts})
	}
	return events
}

// chunks puts deltas into the chunks of one stream.
type chunks struct {
	shape  *StreamShape
	values wire.Values // of the chunk
	asked  bool
	usage  wire.Raw
	word   string // the finish word
	again  wire.Raw
}

func newChunks(s *Shape, a *wire.Answer, r wire.Reply) *chunks {
	c := &chunks{shape: &s.Chunks, values: values(r), asked: r.Usage, usage: s.usage(a.Usage), word: s.finish(a.Finish)}
	if s.Chunks.Usage == UsageWhenAsked && r.Usage {
		c.values["usage"] = nil // in all chunks but the one with the counts
	}
	if s.Chunks.Usage == UsageAgain {
		c.again = s.Chunks.Again.JSON(silence(a))
	}
	return c
}

func (c *chunks) delta(d wire.Raw) []byte { return c.chunk(wire.Values{"delta": d}) }

func (c *chunks) finish(d wire.Raw) []byte {
	if c.shape.Usage == UsageOnFinish {
		c.values["usage"] = c.usage
	}
	return c.chunk(wire.Values{"delta": d, "finish": c.word})
}

func (c *chunks) chunk(choice wire.Values) []byte {
	c.values["choices"] = []any{c.shape.Choice.JSON(choice)}
	return c.shape.Chunk.JSON(c.values)
}

// counts returns the chunk that follows the one with the finish word, or nil.
func (c *chunks) counts() []byte {
	switch {
	case c.shape.Usage == UsageAgain:
		c.values["usage"] = c.usage
		return c.chunk(wire.Values{"delta": c.again, "finish": c.word})
	case c.shape.Usage == UsageWhenAsked && c.asked:
		c.values["usage"], c.values["choices"] = c.usage, []any{}
		return c.shape.Chunk.JSON(c.values)
	default:
		return nil
	}
}

// silence is what a delta says of everything that it is not about.
func silence(a *wire.Answer) wire.Values {
	v := wire.Values{}
	if a.Reasoning != nil {
		v["reasoning"] = nil
	}
	return v
}

// deltas returns what each chunk with a choice adds, the last one being that of the chunk with the finish word.
func (s *Shape) deltas(a *wire.Answer) []wire.Raw {
	opening, opened := s.opening(a)
	deltas := append(opening, s.reasoningDeltas(a)...)
	v := silence(a)
	for _, piece := range wire.Pieces(a.Text) {
		v["text"] = piece
		deltas = append(deltas, s.Chunks.Text.JSON(v))
	}
	if s.Answer.Has("refusal") {
		for _, piece := range wire.Pieces(a.Refusal) {
			deltas = append(deltas, wire.Fields{{Key: "refusal", Value: piece}}.JSON())
		}
	}
	switch {
	case s.Chunks.CallsTogether && len(a.Calls) > 0:
		together := wire.Values{"calls": wholeCalls(s.Chunks.Call, a.Calls)}
		return append(deltas, s.Chunks.Calls.JSON(together))
	case opened: // the head of the only call is out
		deltas = append(deltas, s.fragments(0, a.Calls[0])...)
	default:
		deltas = append(deltas, s.callDeltas(a)...)
	}
	return append(deltas, s.Chunks.End.JSON(silence(a)))
}

// opening returns the delta before all others, if the provider sends one, and whether it holds the head of a call.
func (s *Shape) opening(a *wire.Answer) (deltas []wire.Raw, opened bool) {
	t, silent := s.Chunks.Opening, a.Text == "" && a.Refusal == ""
	if t.Empty() {
		return nil, false
	}
	v := wire.Values{}
	if !silent || len(a.Calls) == 0 {
		v["text"] = ""
	}
	if a.Reasoning != nil {
		v["reasoning"] = ""
	}
	switch {
	case silent && len(a.Calls) == 1 && t.Has("calls"):
		v["calls"], opened = []any{call(s.Chunks.Call, 0, a.Calls[0], "")}, true
	case silent && len(a.Calls) > 1 && !s.Chunks.OpeningOfCalls.Empty():
		t = s.Chunks.OpeningOfCalls
	}
	return []wire.Raw{t.JSON(v)}, opened
}

func (s *Shape) reasoningDeltas(a *wire.Answer) []wire.Raw {
	if s.ReasoningDetails && len(a.Details) > 0 {
		return s.detailDeltas(a.Details)
	}
	if s.ReasoningField == "" || a.Reasoning == nil {
		return nil
	}
	var deltas []wire.Raw
	for _, piece := range wire.Pieces(*a.Reasoning) {
		deltas = append(deltas, s.Chunks.Reasoning.JSON(wire.Values{"reasoning": piece}))
	}
	if *a.Reasoning == "" { // the key is there and says nothing
		deltas = append(deltas, s.Chunks.Reasoning.JSON(wire.Values{"reasoning": ""}))
	}
	return deltas
}

// detailDeltas sends the text of a block in pieces, then its signature alone under the same index, and an encrypted
// block whole: so does OpenRouter in recorded traffic.
func (s *Shape) detailDeltas(blocks []wire.ReasoningBlock) []wire.Raw {
	var deltas []wire.Raw
	add := func(v wire.Values, block wire.Fields) {
		v["details"] = []wire.Fields{block}
		deltas = append(deltas, s.Chunks.Reasoning.JSON(v))
	}
	for _, b := range blocks {
		if b.Type == wire.BlockEncrypted {
			add(wire.Values{"reasoning": nil}, detail(b))
			continue
		}
		signature := b.Signature
		b.Signature = ""
		for _, piece := range wire.Pieces(b.Text) {
			b.Text = piece
			add(wire.Values{"reasoning": piece}, detail(b))
		}
		if signature != "" {
			f := wire.Fields{{Key: "type", Value: "reasoning." + string(b.Type)}, {Key: "signature", Value: signature}}
			add(wire.Values{}, f.With("format", b.Format).With("index", b.Index))
		}
	}
	return deltas
}

func (s *Shape) callDeltas(a *wire.Answer) []wire.Raw {
	var heads []wire.Raw
	fragments := make([][]wire.Raw, len(a.Calls))
	for i, c := range a.Calls {
		heads = append(heads, s.callDelta(call(s.Chunks.Call, i, c, "")))
		fragments[i] = s.fragments(i, c)
	}
	if a.Interleaved {
		return append(heads, interleave(fragments)...)
	}
	var deltas []wire.Raw
	for i := range heads {
		deltas = append(append(deltas, heads[i]), fragments[i]...)
	}
	return deltas
}

func (s *Shape) callDelta(one wire.Raw) wire.Raw {
	return s.Chunks.Calls.JSON(wire.Values{"calls": []any{one}})
}

// fragments returns the deltas that bring the arguments of a call.
func (s *Shape) fragments(index int, c wire.AnswerCall) []wire.Raw {
	var deltas []wire.Raw
	for _, piece := range wire.Pieces(c.Arguments) {
		fragment := wire.Fields{{Key: "index", Value: index}, {Key: "function", Value: wire.Fields{{Key: "arguments", Value: piece}}}}
		deltas = append(deltas, s.callDelta(fragment.JSON()))
	}
	return deltas
}

// interleave takes one of each list in turn, the last list first.
func interleave(lists [][]wire.Raw) []wire.Raw {
	var mixed []wire.Raw
	for round, found := 0, true; found; round++ {
		found = false
		for i := len(lists) - 1; i >= 0; i-- {
			if round < len(lists[i]) {
				mixed, found = append(mixed, lists[i][round]), true
			}
		}
	}
	return mixed
}
