package chat

import (
	"slices"

	"github.com/loopproof/loopproof/wire"
)

// Done is the payload that ends a stream.
const Done = "[DONE]"

// Stream returns the answer as the events of a stream, with its comments and without the [Done] mark.
func (s *Shape) Stream(a *wire.Answer, r Reply) []wire.Event {
	var events []wire.Event
	for _, c := range s.Chunks.Comments {
		events = append(events, wire.Event{Comment: c})
	}
	deltas := s.deltas(a)
	for i, d := range deltas {
		last := i == len(deltas)-1
		events = append(events, wire.Event{Data: s.chunk(d, a, r, last).JSON(), Finish: last})
	}
	switch {
	case s.Chunks.Usage == UsageAgain:
		again := s.choiceChunk(s.dress(wire.Fields{}, false), s.finish(a.Finish), r)
		events = append(events, wire.Event{Data: s.complete(again.With("usage", s.usage(a.Usage))).JSON()})
	case s.Chunks.Usage == UsageAlways, s.Chunks.Usage == UsageWhenAsked && r.Usage:
		counts := s.envelope("chat.completion.chunk", r).With("choices", []wire.Fields{})
		events = append(events, wire.Event{Data: s.complete(counts.With("usage", s.usage(a.Usage))).JSON()})
	}
	return events
}

// deltas returns what each chunk with a choice adds, the last one being the chunk with the finish word.
func (s *Shape) deltas(a *wire.Answer) []wire.Fields {
	var deltas []wire.Fields
	if s.Chunks.Role == RoleFirst {
		deltas = append(deltas, s.opening(a))
	}
	deltas = append(deltas, s.reasoningDeltas(a)...)
	for _, piece := range pieces(a.Text) {
		deltas = append(deltas, wire.Fields{{Key: "content", Value: piece}})
	}
	for _, piece := range pieces(a.Refusal) {
		deltas = append(deltas, wire.Fields{{Key: "refusal", Value: piece}})
	}
	deltas = append(deltas, s.callDeltas(a)...)
	if !s.Chunks.CallsTogether || len(a.Calls) == 0 {
		deltas = append(deltas, wire.Fields{})
	}
	for i := range deltas {
		deltas[i] = s.dress(deltas[i], i == 0)
	}
	return deltas
}

func (s *Shape) opening(a *wire.Answer) wire.Fields {
	f := wire.Fields{{Key: "role", Value: "assistant"}}
	if a.Text == "" && s.NoText == NoTextNull {
		return f.With("content", nil)
	}
	return f.With("content", "")
}

// dress adds to a delta what the provider puts into all of them.
func (s *Shape) dress(d wire.Fields, first bool) wire.Fields {
	if s.Chunks.Content && !slices.ContainsFunc(d, func(f wire.Field) bool { return f.Key == "content" }) {
		d = slices.Insert(d, 0, wire.Field{Key: "content", Value: ""})
	}
	if s.Chunks.Role == RoleEvery || s.Chunks.Role == RoleWith && first {
		d = slices.Insert(d, 0, wire.Field{Key: "role", Value: "assistant"})
	}
	return d
}

func (s *Shape) reasoningDeltas(a *wire.Answer) []wire.Fields {
	if s.ReasoningDetails && len(a.Details) > 0 {
		return s.detailDeltas(a.Details)
	}
	if s.ReasoningField == "" || a.Reasoning == nil {
		return nil
	}
	var deltas []wire.Fields
	for _, piece := range pieces(*a.Reasoning) {
		deltas = append(deltas, wire.Fields{{Key: s.ReasoningField, Value: piece}})
	}
	if *a.Reasoning == "" { // the key is there and says nothing
		deltas = append(deltas, wire.Fields{{Key: s.ReasoningField, Value: ""}})
	}
	return deltas
}

// detailDeltas sends the text of a block in pieces, then its signature alone under the same index, and an encrypted
// block whole: so did OpenRouter in the recordings of github.com/0xPlaygrounds/rig.
func (s *Shape) detailDeltas(blocks []wire.ReasoningBlock) []wire.Fields {
	var deltas []wire.Fields
	add := func(text string, block wire.Fields) {
		var d wire.Fields
		if s.ReasoningField != "" && text != "" {
			d = d.With(s.ReasoningField, text)
		}
		deltas = append(deltas, d.With("reasoning_details", []wire.Fields{block}))
	}
	for _, b := range blocks {
		if b.Type == wire.BlockEncrypted {
			add("", detail(b))
			continue
		}
		signature := b.Signature
		b.Signature = ""
		for _, piece := range pieces(b.Text) {
			b.Text = piece
			add(piece, detail(b))
		}
		if signature != "" {
			f := wire.Fields{{Key: "type", Value: "reasoning." + string(b.Type)}, {Key: "signature", Value: signature}}
			add("", f.With("format", b.Format).With("index", b.Index))
		}
	}
	return deltas
}

func (s *Shape) callDeltas(a *wire.Answer) []wire.Fields {
	if len(a.Calls) == 0 {
		return nil
	}
	if s.Chunks.CallsTogether {
		return []wire.Fields{{{Key: "tool_calls", Value: s.calls(a.Calls)}}}
	}
	var heads []wire.Fields
	fragments := make([][]wire.Fields, len(a.Calls))
	for i, c := range a.Calls {
		whole := ""
		if s.Chunks.WholeCalls {
			whole = c.Arguments
		} else {
			for _, piece := range pieces(c.Arguments) {
				fragments[i] = append(fragments[i], callDelta(i, wire.Fields{{Key: "function", Value: wire.Fields{{Key: "arguments", Value: piece}}}}))
			}
		}
		heads = append(heads, callDelta(i, s.call(c, whole)))
	}
	if a.Interleaved {
		return append(heads, interleave(fragments)...)
	}
	var deltas []wire.Fields
	for i := range heads {
		deltas = append(append(deltas, heads[i]), fragments[i]...)
	}
	return deltas
}

func callDelta(index int, call wire.Fields) wire.Fields {
	call = slices.Insert(slices.Clone(call), 0, wire.Field{Key: "index", Value: index})
	return wire.Fields{{Key: "tool_calls", Value: []wire.Fields{call}}}
}

// interleave takes one of each list in turn, the last list first.
func interleave(lists [][]wire.Fields) []wire.Fields {
	var mixed []wire.Fields
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

func (s *Shape) chunk(d wire.Fields, a *wire.Answer, r Reply, last bool) wire.Fields {
	finish := ""
	if last {
		finish = s.finish(a.Finish)
	}
	c := s.choiceChunk(d, finish, r)
	switch {
	case last && s.Chunks.Usage == UsageOnFinish:
		c = c.With("usage", s.usage(a.Usage))
	case s.Chunks.Usage == UsageWhenAsked && r.Usage:
		c = c.With("usage", nil)
	}
	return s.complete(c)
}

func (s *Shape) choiceChunk(d wire.Fields, finish string, r Reply) wire.Fields {
	choice := wire.Fields{{Key: "index", Value: 0}, {Key: "delta", Value: d}}
	choice = append(choice, s.Choice...)
	switch {
	case finish != "":
		choice = choice.With("finish_reason", finish)
	case !s.Chunks.FinishOnlyAtEnd:
		choice = choice.With("finish_reason", nil)
	}
	return s.envelope("chat.completion.chunk", r).With("choices", []wire.Fields{choice})
}

func (s *Shape) complete(c wire.Fields) wire.Fields {
	return append(append(c, s.Extra...), s.Chunks.Extra...)
}

// maxPieces bounds how many chunks one text becomes, so that a long one stays cheap to send.
const maxPieces = 96

// pieces cuts a text as a model would write it: a few letters at a time, never inside a rune.
func pieces(text string) []string {
	runes := []rune(text)
	size := max(4, (len(runes)+maxPieces-1)/maxPieces)
	var cut []string
	for piece := range slices.Chunk(runes, size) {
		cut = append(cut, string(piece))
	}
	return cut
}
