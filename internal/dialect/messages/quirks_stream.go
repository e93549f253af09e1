package messages

import (
	"bytes"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// streamQuirks are about the events that begin and end a message, and about those of calls.
func streamQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "unknown-blocks",
			Does:   "sends a block of an unknown type before another one",
			Events: unknownBlock,
		},
		{
			Name:   "fragments-none",
			Does:   "sends a call without arguments without any input delta",
			Events: withoutFragments(func(joined string) bool { return wire.BlankArguments(joined) || joined == "{}" }, false),
		},
		{
			Name:   "input-in-the-start",
			Does:   "sends the complete input of a call in its start event, without deltas",
			Events: withoutFragments(isInput, true),
		},
		{
			Name:   "message-start-twice",
			Does:   "sends the start of a message twice",
			Events: func(events []wire.Event) []wire.Event { return slices.Insert(slices.Clone(events), 1, events[0]) },
		},
		{
			Name: "message-start-bare",
			Does: "begins streams with a message without type and role",
			Events: func(events []wire.Event) []wire.Event {
				payload := wire.Parsed(events[0].Data)
				payload.Path("message").Remove("type", "role")
				changed := slices.Clone(events)
				changed[0].Data = payload.JSON()
				return changed
			},
		},
		{
			Name:   "message-start-spliced",
			Does:   "interrupts a message and begins another one in the same stream",
			Events: spliced,
		},
		{
			Name:   "usage-in-several-deltas",
			Does:   "sends the total token counts in several events",
			Events: severalDeltas,
		},
		{
			Name:   "usage-missing",
			Does:   "sends no token counts",
			Events: wire.EachPayload(withoutCounts),
			Whole:  wire.InBody(withoutCounts),
		},
		{
			Name:   "usage-in-every-chunk",
			Does:   "sends the token counts so far with every piece of an answer",
			Events: countOn,
		},
		{
			Name:   "usage-three-times",
			Does:   "sends the token counts of a stream in three places",
			Events: countAgain,
		},
		{
			Name: "end-usage-output-only",
			Does: "sends no input token count at the end of a stream",
			Events: onEnd(func(usage *wire.Node) {
				for _, key := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"} {
					usage.Remove(key)
				}
			}),
		},
		{
			Name:   "end-usage-null",
			Does:   "sends null as the input token count at the end of a stream",
			Events: onEnd(func(usage *wire.Node) { usage.Set("input_tokens", nil) }),
		},
		{
			Name:   "empty-text-block",
			Does:   "sends an empty text block with its answers",
			Answer: withBlock(`{"type":"text","text":""}`),
		},
		{
			Name:   "white-text-block",
			Does:   "sends a text block that has only line breaks with its answers",
			Answer: withBlock(`{"type":"text","text":"\n\n"}`),
		},
		{
			Name:   "finish-calls-without-call",
			Does:   "ends an answer without tool calls with the stop reason tool_use",
			Answer: func(a *wire.Answer) { a.Finish = wire.FinishCalls },
		},
		{
			Name: "stop-reason-unknown",
			Does: "ends an answer with an unknown stop reason",
			Answer: func(a *wire.Answer) {
				a.Finish = "budget_reached"
			},
		},
	}
}

func withBlock(raw string) func(*wire.Answer) {
	return func(a *wire.Answer) { a.Blocks = append(a.Blocks, wire.Raw(raw)) }
}

// UnknownBlock is the type of the block that the quirk unknown-blocks sends.
const UnknownBlock = "progress_update"

// unknownBlock puts a block of an unknown type, with a delta of its own, before the last block,
// whose index goes up: what has to come first in a turn stays there.
func unknownBlock(events []wire.Event) []wire.Event {
	last := -1
	for _, e := range events {
		if index, has := wire.Parsed(e.Data).Path("index").Int(); has {
			last = index
		}
	}
	at := wire.Fields{{Key: "index", Value: last}}
	var changed []wire.Event
	put := false
	for _, e := range events {
		payload := wire.Parsed(e.Data)
		if index, has := payload.Path("index").Int(); has && index == last {
			if !put {
				changed = append(changed,
					event("content_block_start", at.With("content_block", wire.Raw(`{"type":"`+UnknownBlock+`","step":1}`))),
					event("content_block_delta", at.With("delta", wire.Raw(`{"type":"progress_delta","step":2}`))),
					event("content_block_stop", at))
				put = true
			}
			payload.Set("index", last+1)
			e.Data = payload.JSON()
		}
		changed = append(changed, e)
	}
	return changed
}

// withoutFragments leaves out the pieces of inputs of some kind, which are in the start of their
// blocks where they do not have to be {} there.
func withoutFragments(kind func(joined string) bool, inStart bool) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		joined := map[int]string{}
		for _, e := range events {
			if index, piece, ok := fragment(e); ok {
				joined[index] += piece
			}
		}
		var changed []wire.Event
		for _, e := range events {
			if index, _, ok := fragment(e); ok && kind(joined[index]) {
				continue
			}
			payload := wire.Parsed(e.Data)
			index, _ := payload.Path("index").Int()
			if block := payload.Path("content_block"); inStart && block.Path("type").Text() == "tool_use" && kind(joined[index]) {
				block.Set("input", wire.Raw(joined[index]))
				e.Data = payload.JSON()
			}
			changed = append(changed, e)
		}
		return changed
	}
}

// isInput reports whether a text can be an input as a whole: what a model wrote wrongly can only
// come in pieces.
func isInput(joined string) bool {
	_, is := wire.ParseObject(joined)
	return is
}

// fragment returns the piece of an input that an event brings, and of which block.
func fragment(e wire.Event) (index int, piece string, ok bool) {
	if !bytes.Contains(e.Data, []byte("input_json_delta")) {
		return 0, "", false
	}
	payload := wire.Parsed(e.Data)
	index, ok = payload.Path("index").Int()
	return index, payload.Path("delta", "partial_json").Text(), ok
}

// spliced puts another message in front, which breaks off inside of its last block: what a gateway
// does that loses the provider and asks again.
func spliced(events []wire.Event) []wire.Event {
	last := -1
	for i, e := range events {
		if bytes.HasPrefix(e.Data, []byte(`{"type":"content_block_stop"`)) {
			last = i
		}
	}
	if last < 0 {
		return events
	}
	var lost []wire.Event
	for _, e := range events[:last] {
		payload := wire.Parsed(e.Data)
		for _, of := range []*wire.Node{payload.Path("message"), payload.Path("content_block")} {
			if id := of.Path("id").Text(); id != "" {
				of.Set("id", id+"lost")
			}
		}
		lost = append(lost, wire.Event{Lines: e.Lines, Data: payload.JSON()})
	}
	return append(lost, events...)
}

// severalDeltas puts a count of what has come so far before the event that says why the model
// stopped.
func severalDeltas(events []wire.Event) []wire.Event {
	var changed []wire.Event
	for _, e := range events {
		if e.Finish {
			early := wire.Parsed(e.Data)
			early.Path("delta").Set("stop_reason", nil)
			early.Path("usage").Set("output_tokens", 2)
			changed = append(changed, wire.Event{Lines: e.Lines, Data: early.JSON()})
		}
		changed = append(changed, e)
	}
	return changed
}

// onEnd changes the token counts at the end of a stream.
func onEnd(change func(usage *wire.Node)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		changed := slices.Clone(events)
		for i, e := range changed {
			if e.Finish {
				payload := wire.Parsed(e.Data)
				change(payload.Path("usage"))
				changed[i].Data = payload.JSON()
			}
		}
		return changed
	}
}

func withoutCounts(payload *wire.Node) {
	payload.Remove("usage")
	payload.Get("message").Remove("usage")
}

// countOn gives each delta of a block the counts so far.
func countOn(events []wire.Event) []wire.Event {
	so := 0
	return wire.EachPayload(func(payload *wire.Node) {
		switch payload.Get("type").Text() {
		case "message_start":
			so = 1
		case "content_block_delta":
			so++
			payload.Set("usage", wire.Fields{{Key: "output_tokens", Value: so}})
		}
	})(events)
}

// countAgain repeats the counts of the end where the message ends, and in a place of the provider's
// own, as Bedrock has one.
func countAgain(events []wire.Event) []wire.Event {
	var counts *wire.Node
	return wire.EachPayload(func(payload *wire.Node) {
		switch payload.Get("type").Text() {
		case "message_delta":
			counts = payload.Get("usage").Clone()
		case "message_stop":
			payload.Set("usage", counts)
			payload.Set("amazon-bedrock-invocationMetrics", wire.Fields{{Key: "inputTokenCount", Value: wire.Raw(counts.Get("input_tokens").Raw)}, {Key: "outputTokenCount", Value: wire.Raw(counts.Get("output_tokens").Raw)}})
		}
	})(events)
}
