package chat

import "github.com/loopproof/loopproof/internal/wire"

// silence is what a delta says of everything that it is not about.
func (s *Shape) silence(a *wire.Answer) wire.Values {
	v := wire.Values{}
	if a.Reasoning != nil && s.ReasoningField != "" {
		v["reasoning"] = nil
	}
	return v
}

// deltas returns what each chunk with a choice adds, the last one being that of the chunk with the
// finish reason.
func (s *Shape) deltas(a *wire.Answer) []wire.Raw {
	w := &deltas{Shape: s}
	return w.all(a)
}

// deltas writes the deltas of one stream, in the order in which they are sent.
type deltas struct {
	*Shape
	begun bool // the first one is written
}

func (s *deltas) write(t wire.Template, v wire.Values) wire.Raw {
	if delete(v, "role"); !s.begun {
		v["role"] = "assistant"
	}
	s.begun = true
	return t.JSON(v)
}

func (s *deltas) all(a *wire.Answer) []wire.Raw {
	opening, opened := s.opening(a)
	deltas := append(opening, s.reasoningDeltas(a)...)
	v := s.silence(a)
	for _, piece := range s.contents(a) {
		v["text"] = piece
		deltas = append(deltas, s.write(s.Chunks.Text, v))
	}
	if s.Answer.Has("refusal") {
		for _, piece := range a.Pieces(a.Refusal) {
			deltas = append(deltas, wire.Fields{{Key: "refusal", Value: piece}}.JSON())
		}
	}
	switch {
	case s.Chunks.Arguments == ArgumentsTogether && len(a.Calls) > 0:
		return append(deltas, s.write(s.Chunks.Calls, wire.Values{"calls": s.wholeCalls(s.Chunks.Call, a.Calls)}))
	case s.Chunks.Arguments == ArgumentsWhole:
		for _, whole := range s.wholeCalls(s.Chunks.Call, a.Calls) {
			deltas = append(deltas, s.write(s.Chunks.Calls, wire.Values{"calls": []any{whole}}))
		}
	case opened: // the head of the only call is out
		deltas = append(deltas, s.fragments(0, a.Pieces(a.Calls[0].Arguments))...)
	default:
		deltas = append(deltas, s.callDeltas(a)...)
	}
	return append(deltas, s.write(s.Chunks.End, s.silence(a)))
}

// opening returns the delta before all others, if the provider sends one, and whether it holds the
// head of a call.
func (s *deltas) opening(a *wire.Answer) (deltas []wire.Raw, opened bool) {
	t, silent := s.Chunks.Opening, a.Text == "" && a.Refusal == ""
	if t.Empty() {
		return nil, false
	}
	v, thinks := wire.Values{}, a.Reasoning != nil && s.ReasoningField != ""
	if !silent || len(a.Calls) == 0 {
		v["text"] = ""
	}
	if thinks {
		v["reasoning"] = ""
	}
	switch {
	case silent && !thinks && len(a.Calls) == 1 && t.Has("calls"):
		v["calls"], opened = []any{s.call(s.Chunks.Call, 0, a.Calls[0], "")}, true
	case silent && len(a.Calls) > 1 && !s.Chunks.OpeningOfCalls.Empty():
		t = s.Chunks.OpeningOfCalls
	}
	return []wire.Raw{s.write(t, v)}, opened
}

func (s *deltas) reasoningDeltas(a *wire.Answer) []wire.Raw {
	if s.ReasoningDetails && len(a.Details) > 0 {
		return s.detailDeltas(a)
	}
	if s.ReasoningField == "" || a.Reasoning == nil {
		return nil
	}
	var deltas []wire.Raw
	for _, piece := range a.Pieces(*a.Reasoning) {
		deltas = append(deltas, s.write(s.Chunks.Reasoning, wire.Values{"reasoning": piece}))
	}
	if *a.Reasoning == "" { // the key is there and says nothing
		deltas = append(deltas, s.write(s.Chunks.Reasoning, wire.Values{"reasoning": ""}))
	}
	return deltas
}

// detailDeltas sends the text of a block in pieces, then its signature alone under the same index,
// and an encrypted block whole: so does OpenRouter in recorded traffic.
func (s *deltas) detailDeltas(a *wire.Answer) []wire.Raw {
	var deltas []wire.Raw
	add := func(v wire.Values, block wire.Fields) {
		v["details"] = []wire.Fields{block}
		deltas = append(deltas, s.write(s.Chunks.Reasoning, v))
	}
	for _, b := range a.Details {
		if b.Type == wire.BlockEncrypted {
			add(wire.Values{"reasoning": nil}, detail(b))
			continue
		}
		signature := b.Signature
		b.Signature = ""
		for _, piece := range a.Pieces(b.Text) {
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

func (s *deltas) callDeltas(a *wire.Answer) []wire.Raw {
	var heads []wire.Raw
	fragments := make([][]wire.Raw, len(a.Calls))
	for i, c := range a.Calls {
		cut := a.Pieces(c.Arguments)
		begin := ""
		if s.Chunks.Arguments == ArgumentsFromHead && len(cut) > 0 {
			begin, cut = cut[0], cut[1:]
		}
		heads = append(heads, s.callDelta(s.call(s.Chunks.Call, i, c, begin)))
		fragments[i] = s.fragments(i, cut)
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

func (s *deltas) callDelta(one wire.Raw) wire.Raw {
	return s.write(s.Chunks.Calls, wire.Values{"calls": []any{one}})
}

// fragments returns the deltas that bring pieces of the arguments of a call.
func (s *deltas) fragments(index int, pieces []string) []wire.Raw {
	var deltas []wire.Raw
	for _, piece := range pieces {
		deltas = append(deltas, s.callDelta(s.fragment(index, piece)))
	}
	return deltas
}

func (s *Shape) fragment(index int, piece string) wire.Raw {
	if t := s.Chunks.Fragment; !t.Empty() {
		return t.JSON(wire.Values{"index": index, "arguments": piece})
	}
	return wire.Fields{{Key: "index", Value: index}, {Key: "function", Value: wire.Fields{{Key: "arguments", Value: piece}}}}.JSON()
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
