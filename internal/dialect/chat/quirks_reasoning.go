package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// reasoningQuirks are about where in a stream the reasoning and the signatures of a turn are, and
// under which names.
func reasoningQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name: "reasoning-twice",
			Does: "sends the same reasoning under two names, reasoning and reasoning_content",
			Events: eachChoice(func(choice *wire.Node) {
				underBothNames(choice.Path("delta"))
			}),
			Whole: inMessage(underBothNames),
		},
		{
			Name:   "reasoning-beside-text",
			Does:   "sends the end of its reasoning and the beginning of a text in one delta",
			Events: reasoningBeside(func(chunk *wire.Node) bool { return textOf(chunk) != "" }),
		},
		{
			Name:   "reasoning-beside-call",
			Does:   "sends the end of its reasoning and the beginning of a tool call in one delta",
			Events: reasoningBeside(hasCalls),
		},
		{
			Name: "reasoning-behind-call",
			Does: "sends the end of its reasoning after the first piece of a tool call",
			Events: func(events []wire.Event) []wire.Event {
				last := lastReasoning(events)
				if last < 0 {
					return events
				}
				return behindFirstCall(slices.Delete(slices.Clone(events), last, last+1), events[last])
			},
		},
		{
			Name:   "signature-behind-call",
			Does:   "sends the signature of its reasoning after the first piece of a tool call",
			Events: signaturesBehindCall,
		},
		{
			Name:   "call-signature-behind",
			Does:   "sends the signature of a tool call in a piece of its own after the call",
			Events: callSignaturesBehind,
		},
	}
}

// plainReasoning returns the key under which a delta or a message has plain reasoning that says
// something, and "" where it has none.
func plainReasoning(said *wire.Node) string {
	for _, key := range ReasoningFields {
		if said.Path(key).Text() != "" {
			return key
		}
	}
	return ""
}

func underBothNames(said *wire.Node) {
	if key := plainReasoning(said); key != "" {
		for _, name := range ReasoningFields[:2] {
			said.Set(name, said.Path(key).Text())
		}
	}
}

// lastReasoning returns the place of the last chunk with plain reasoning, or -1.
func lastReasoning(events []wire.Event) int {
	last := -1
	for i, e := range events {
		if plainReasoning(wire.Parsed(e.Data).Path("choices", 0, "delta")) != "" {
			last = i
		}
	}
	return last
}

func hasCalls(chunk *wire.Node) bool {
	return len(chunk.Path("choices", 0, "delta", "tool_calls").All()) > 0
}

// reasoningBeside moves the last piece of the reasoning into the first chunk of some kind after it.
func reasoningBeside(kind func(chunk *wire.Node) bool) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		last := lastReasoning(events)
		for i := max(last, 0); i < len(events) && last >= 0; i++ {
			chunk := wire.Parsed(events[i].Data)
			if i == last || !kind(chunk) {
				continue
			}
			from := wire.Parsed(events[last].Data).Path("choices", 0, "delta")
			key := plainReasoning(from)
			chunk.Path("choices", 0, "delta").Set(key, from.Path(key).Text())
			changed := slices.Clone(events)
			changed[i].Data = chunk.JSON()
			return slices.Delete(changed, last, last+1)
		}
		return events
	}
}

// behindFirstCall puts events after the first chunk with a call. Without a call they are at their
// end, before the chunk with the finish reason.
func behindFirstCall(events []wire.Event, late ...wire.Event) []wire.Event {
	at := slices.IndexFunc(events, func(e wire.Event) bool { return hasCalls(wire.Parsed(e.Data)) }) + 1
	if at == 0 {
		at = max(0, slices.IndexFunc(events, func(e wire.Event) bool { return e.Finish }))
	}
	return slices.Insert(events, at, late...)
}

// signaturesBehindCall moves the pieces of structured reasoning that are signatures alone.
func signaturesBehindCall(events []wire.Event) []wire.Event {
	var early, late []wire.Event
	for _, e := range events {
		blocks := wire.Parsed(e.Data).Path("choices", 0, "delta", "reasoning_details").All()
		if len(blocks) > 0 && blocks[0].Has("signature") && !blocks[0].Has("text") {
			late = append(late, e)
			continue
		}
		early = append(early, e)
	}
	return behindFirstCall(early, late...)
}

// callSignaturesBehind takes what signs a call out of its head and sends it later, with the index
// of the call, or its id where it has none.
func callSignaturesBehind(events []wire.Event) []wire.Event {
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		var signatures []wire.Event
		for _, entry := range chunk.Path("choices", 0, "delta", "tool_calls").All() {
			extra := entry.Path("extra_content")
			if extra == nil {
				continue
			}
			behind := wire.NewNode(wire.Fields{{Key: "extra_content", Value: wire.Raw(extra.JSON())}})
			key := "id"
			if entry.Has("index") {
				key = "index"
			}
			behind.Set(key, entry.Path(key).Clone())
			entry.Remove("extra_content")
			signatures = append(signatures, likeChunk(chunk, wire.Fields{{Key: "tool_calls", Value: []any{wire.Raw(behind.JSON())}}}))
		}
		e.Data = chunk.JSON()
		return append([]wire.Event{e}, signatures...)
	})(events)
}
