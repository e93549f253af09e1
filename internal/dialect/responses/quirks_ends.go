package responses

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// endQuirks are about how items end, and about what is not known of them before.
func endQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "items-not-done",
			Does:   "sends no end of an item, and has the items whole in the response that ends the stream",
			Events: without("response.output_item.done"),
		},
		{
			Name:   "parts-not-done",
			Does:   "ends items without the ends of their texts and arguments",
			Events: without("response.output_text.done", "response.content_part.done", "response.function_call_arguments.done"),
		},
		{
			Name:   "items-end-backwards",
			Does:   "ends all items when the last one has come, and the last one first",
			Events: endingLast(true),
		},
		{
			Name:   "items-end-together",
			Does:   "ends all items when the last one has come, in their order",
			Events: endingLast(false),
		},
		{
			Name:   "signature-behind-call",
			Does:   "sends the end of its reasoning, with its encrypted form, after the first piece of a tool call",
			Events: reasoningEndsLate,
		},
		{
			Name: "message-start-twice",
			Does: "begins a response twice",
			Events: func(events []wire.Event) []wire.Event {
				return renumbered(slices.Insert(slices.Clone(events), 1, events[0]))
			},
		},
		{
			Name:   "message-start-spliced",
			Does:   "interrupts a response and begins another one in the same stream",
			Events: spliced,
		},
		{
			Name:   "pieces-not-done",
			Does:   "ends calls and reasoning without the ends of their arguments and texts",
			Events: without("response.function_call_arguments.done", "response.reasoning_text.done"),
		},
		{
			Name:   "item-ids-missing",
			Does:   "sends messages and calls without an id of the item",
			Events: wire.EachPayload(withoutIDs),
			Whole:  wire.InBody(withoutIDs),
		},
		{
			Name: "calls-unnamed-when-done",
			Does: "sends the name of a call only when it begins, and an empty one when it is done",
			Events: wire.EachPayload(func(payload *wire.Node) {
				if item := payload.Path("item"); kindOf(payload) == "response.output_item.done" && item.Path("type").Text() == callItem {
					item.Set("name", "")
				}
			}),
		},
		{
			Name: "calls-named-when-done",
			Does: "sends the name and the id of a call only when it is done",
			Events: wire.EachPayload(func(payload *wire.Node) {
				if item := payload.Path("item"); kindOf(payload) == "response.output_item.added" && item.Path("type").Text() == callItem {
					item.Set("name", "")
					item.Set("call_id", "")
				}
			}),
		},
	}
}

// endingLast puts the ends of items before the end of the stream, perhaps the last one first.
func endingLast(backwards bool) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		var ends, others []wire.Event
		for _, e := range events {
			if kindOf(wire.Parsed(e.Data)) == "response.output_item.done" {
				ends = append(ends, e)
			} else {
				others = append(others, e)
			}
		}
		if backwards {
			slices.Reverse(ends)
		}
		last := slices.IndexFunc(others, func(e wire.Event) bool { return e.Finish })
		if last < 0 {
			return events
		}
		return renumbered(slices.Insert(others, last, ends...))
	}
}

// withoutIDs leaves the ids of messages and calls out, where they are whole.
func withoutIDs(payload *wire.Node) {
	for _, item := range itemsIn(payload) {
		if kind := item.Get("type").Text(); kind == messageItem || kind == callItem {
			item.Remove("id")
		}
	}
}

// stopWord is where a response says how it ended.
var stopWord = wire.StopWord{Key: "status", Is: "status", In: func(payload *wire.Node) *wire.Node {
	if response := payload.Get("response"); response.Is(wire.Object) || payload.Has("type") {
		return response
	}
	return payload
}}

// reasoningEndsLate moves the ends of items of reasoning behind the beginning of the first call.
func reasoningEndsLate(events []wire.Event) []wire.Event {
	var late, others []wire.Event
	for _, e := range events {
		if payload := wire.Parsed(e.Data); kindOf(payload) == "response.output_item.done" && payload.Path("item", "type").Text() == reasoningItem {
			late = append(late, e)
		} else {
			others = append(others, e)
		}
	}
	first := slices.IndexFunc(others, func(e wire.Event) bool { return wire.Parsed(e.Data).Path("item", "type").Text() == callItem })
	if first < 0 {
		return events
	}
	return renumbered(slices.Insert(others, first+1, late...))
}

// spliced puts another response in front, which breaks off inside of its last item: what a gateway
// does that loses the provider and asks again.
func spliced(events []wire.Event) []wire.Event {
	last := -1
	for i, e := range events {
		if kindOf(wire.Parsed(e.Data)) == "response.output_item.done" {
			last = i
		}
	}
	if last < 0 {
		return events
	}
	var lost []wire.Event
	for _, e := range events[:last] {
		payload := wire.Parsed(e.Data)
		for _, of := range []*wire.Node{payload.Get("response"), payload.Get("item")} {
			for _, key := range []string{"id", "call_id"} {
				if id := of.Get(key).Text(); id != "" {
					of.Set(key, id+"lost")
				}
			}
		}
		if id := payload.Get("item_id").Text(); id != "" {
			payload.Set("item_id", id+"lost")
		}
		lost = append(lost, wire.Event{Lines: e.Lines, Data: payload.JSON()})
	}
	return renumbered(append(lost, events...))
}
