package responses

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// itemsIn returns the items in an event, or in a whole response.
func itemsIn(payload *wire.Node) (items []*wire.Node) {
	items = slices.Concat(payload.Get("output").All(), payload.Path("response", "output").All())
	if item := payload.Get("item"); item != nil {
		items = append(items, item)
	}
	return items
}

// callIDs is where the calls have the ids that their outputs name.
var callIDs = wire.CallIDs{Key: "call_id", In: func(payload *wire.Node) []*wire.Node {
	return slices.DeleteFunc(itemsIn(payload), func(item *wire.Node) bool { return !item.Has("call_id") })
}}

// idQuirks are about these ids. The API has no longer ones than 64 characters.
func idQuirks() []wire.Quirk {
	return slices.DeleteFunc(callIDs.Quirks(), func(q wire.Quirk) bool { return q.Name == "call-id-long" })
}

// indexes are those of items.
var indexes = wire.Indexes{
	Name: "items", First: "the first item of a response", Second: "the second item of a response", Shared: "all items of a response the index 0 and different ids",
	Number: wire.EachIndex("output_index"),
}

// argumentQuirks are about the form of arguments.
func argumentQuirks() []wire.Quirk {
	return []wire.Quirk{{
		Name: "arguments-object",
		Does: "sends the arguments of a tool call as an object, not as a string",
		Events: func(events []wire.Event) []wire.Event {
			return wire.EachPayload(argumentsAsObjects)(without("response.function_call_arguments.delta")(events))
		},
		Whole: wire.InBody(argumentsAsObjects),
	}}
}

func argumentsAsObjects(payload *wire.Node) {
	for _, of := range append(itemsIn(payload), payload) {
		if object := wire.Parsed([]byte(of.Get("arguments").Text())); object.Is(wire.Object) {
			of.Set("arguments", object)
		}
	}
}

// betweenQuirks are about events, and keys of events, between those that say something.
func betweenQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name: "unknown-deltas",
			Does: "sends deltas of unknown types",
			Events: behindEach(func(_ wire.Event, payload *wire.Node) []wire.Event {
				if kindOf(payload) != "response.output_text.delta" {
					return nil
				}
				payload.Set("type", "response.output_text_confidence.delta")
				payload.Set("delta", wire.Raw(`{"confidence":0.9}`))
				return []wire.Event{{Lines: []string{"event: response.output_text_confidence.delta"}, Data: payload.JSON()}}
			}),
		},
		{
			Name:   "delta-missing",
			Does:   "sends an event of a piece without the key delta after each piece",
			Events: behindPieces(func(payload *wire.Node) { payload.Remove("delta") }),
		},
		{
			Name:   "delta-null",
			Does:   "sends null as a piece after each piece",
			Events: behindPieces(func(payload *wire.Node) { payload.Set("delta", nil) }),
		},
		{
			Name: "nulls",
			Does: "sends null for all unused keys of an event",
			Events: wire.EachPayload(func(payload *wire.Node) {
				for _, key := range []string{"item", "part", "delta", "text", "arguments", "response", "item_id"} {
					if !payload.Has(key) {
						payload.Set(key, nil)
					}
				}
			}),
		},
		{
			Name:   "empty-text-block",
			Does:   "sends a message with an empty text before another item",
			Answer: withText(""),
		},
		{
			Name:   "white-text-block",
			Does:   "sends a message with nothing but line breaks before another item",
			Answer: withText("\n\n"),
		},
	}
}

// behindPieces sends one more event behind each that brings a piece.
func behindPieces(change func(payload *wire.Node)) func([]wire.Event) []wire.Event {
	return behindEach(func(e wire.Event, payload *wire.Node) []wire.Event {
		if !payload.Has("delta") {
			return nil
		}
		change(payload)
		return []wire.Event{{Lines: e.Lines, Data: payload.JSON()}}
	})
}

// withText puts a message of its own before the text and the calls of an answer.
func withText(text string) func(*wire.Answer) {
	return func(a *wire.Answer) {
		part := wire.Fields{{Key: "type", Value: "output_text"}, {Key: "annotations", Value: []any{}}, {Key: "logprobs", Value: []any{}}, {Key: "text", Value: text}}
		message := wire.Fields{
			{Key: "id", Value: "msg_"}, {Key: "type", Value: messageItem}, {Key: "status", Value: completed},
			{Key: "content", Value: []any{part}}, {Key: "role", Value: "assistant"},
		}
		a.Blocks = append(a.Blocks, wire.Raw(message.JSON()))
	}
}
