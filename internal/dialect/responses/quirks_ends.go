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
	items := slices.Concat(payload.Get("output").All(), payload.Path("response", "output").All(), []*wire.Node{payload.Get("item")})
	for _, item := range items {
		if kind := item.Get("type").Text(); kind == messageItem || kind == callItem {
			item.Remove("id")
		}
	}
}
