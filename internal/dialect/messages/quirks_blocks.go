package messages

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// stopWord is where events and messages say why the model stopped.
var stopWord = wire.StopWord{Key: "stop_reason", Is: "stop reason", In: func(payload *wire.Node) *wire.Node {
	switch payload.Get("type").Text() {
	case "message_start":
		return payload.Get("message")
	case "message_delta":
		return payload.Get("delta")
	case "message":
		return payload
	default:
		return nil
	}
}}

// callIDs is where the calls are in an event and in a message.
var callIDs = wire.CallIDs{Key: "id", In: func(payload *wire.Node) (calls []*wire.Node) {
	for _, block := range append(slices.Clone(payload.Get("content").All()), payload.Get("content_block")) {
		if block.Get("type").Text() == "tool_use" {
			calls = append(calls, block)
		}
	}
	return calls
}}

// errorQuirks are about errors that come after the status 200.
func errorQuirks() []wire.Quirk {
	return wire.ErrorQuirks(wire.Quirk{
		Name: "error-untyped",
		Does: "sends an error as a payload without a type",
		Events: func(events []wire.Event) []wire.Event {
			changed := slices.Clone(events)
			for i, e := range changed {
				if payload := wire.Parsed(e.Data); e.Failure {
					payload.Remove("type")
					changed[i] = wire.Event{Data: payload.JSON(), Failure: true}
				}
			}
			return changed
		},
	})
}

// indexQuirks are about the index by which the deltas of a block are found.
func indexQuirks() []wire.Quirk {
	unnumbered := func(where func(kind string) bool) func([]wire.Event) []wire.Event {
		return wire.EachPayload(func(payload *wire.Node) {
			if where(payload.Get("type").Text()) {
				payload.Remove("index")
			}
		})
	}
	return append([]wire.Quirk{
		{Name: "call-index-missing", Does: "sends blocks without an index, one after the other", Events: unnumbered(func(string) bool { return true })},
		{Name: "fragment-index-missing", Does: "sends the deltas of a block without its index", Events: unnumbered(func(kind string) bool { return kind != "content_block_start" })},
	}, indexes.Quirks()...)
}

// indexes are those of blocks.
var indexes = wire.Indexes{
	Name: "blocks", First: "the first block of a turn", Second: "the second block of a turn", Shared: "all blocks of a turn the index 0, one after the other",
	Number: wire.EachIndex("index"),
}

// pieceQuirks are about the pieces in which a block comes.
func pieceQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "arguments-by-letter",
			Does:   "sends the input of a call one character at a time, which splits escapes and numbers",
			Events: recut(func(input string) []string { return strings.Split(input, "") }),
		},
		{
			Name: "arguments-empty-pieces",
			Does: "sends empty pieces among those of the input of a call",
			Events: recut(func(input string) []string {
				letters := []rune(input)
				half := len(letters) / 2
				return []string{"", "", string(letters[:half]), "", string(letters[half:]), ""}
			}),
		},
		{
			Name: "delta-missing",
			Does: "sends events without their delta, also after the reason to stop",
			Events: func(events []wire.Event) []wire.Event {
				return behindFirstAndLast(events, func(payload *wire.Node) { payload.Remove("delta") })
			},
		},
		{
			Name: "delta-null",
			Does: "sends null as a delta, also after the reason to stop",
			Events: func(events []wire.Event) []wire.Event {
				return behindFirstAndLast(events, func(payload *wire.Node) { payload.Set("delta", nil) })
			},
		},
		{Name: "nulls", Does: "sends null for all unused keys of messages and deltas", Events: wire.EachPayload(sendNulls), Whole: wire.InBody(sendNulls)},
		{Name: "signature-behind-call", Does: "sends the signature of its reasoning after the first piece of a call", Events: signatureBehind},
	}
}

// recut cuts the input of each call anew.
func recut(cut func(input string) []string) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		joined := map[int]string{}
		for _, e := range events {
			if index, piece, ok := fragment(e); ok {
				joined[index] += piece
			}
		}
		var changed []wire.Event
		done := map[int]bool{}
		for _, e := range events {
			index, _, ok := fragment(e)
			if !ok {
				changed = append(changed, e)
				continue
			}
			if !done[index] {
				for _, piece := range cut(joined[index]) {
					delta := object("type", "input_json_delta", "partial_json", piece)
					changed = append(changed, event("content_block_delta", wire.Fields{{Key: "index", Value: index}, {Key: "delta", Value: delta}}))
				}
			}
			done[index] = true
		}
		return changed
	}
}

// behindFirstAndLast repeats the first delta of a block, and the event that says why the model
// stopped, with a change.
func behindFirstAndLast(events []wire.Event, change func(payload *wire.Node)) (changed []wire.Event) {
	first := true
	for _, e := range events {
		changed = append(changed, e)
		payload := wire.Parsed(e.Data)
		isFirst := first && payload.Get("type").Text() == "content_block_delta"
		if isFirst || e.Finish {
			first = first && !isFirst
			change(payload)
			changed = append(changed, wire.Event{Lines: e.Lines, Data: payload.JSON()})
		}
	}
	return changed
}

// sendNulls gives a message and a delta the keys that they do not use. Blocks stay as they are,
// since they go back.
func sendNulls(payload *wire.Node) {
	message := payload
	if payload.Get("type").Text() == "message_start" {
		message = payload.Get("message")
	}
	put := func(in *wire.Node, keys ...string) {
		for _, key := range keys {
			if !in.Has(key) {
				in.Set(key, nil)
			}
		}
	}
	switch payload.Get("type").Text() {
	case "message_start", "message":
		put(message, "container", "context_management", "stop_details")
		put(message.Get("usage"), "cache_creation_input_tokens", "cache_read_input_tokens", "server_tool_use", "service_tier")
	case "content_block_delta":
		put(payload.Get("delta"), "text", "thinking", "signature", "partial_json", "citation")
	case "message_delta":
		put(payload.Get("delta"), "container", "stop_details")
		put(payload.Get("usage"), "server_tool_use")
	}
}

// signatureBehind sends the signature of reasoning, and the end of its block, within a call that
// comes after it.
func signatureBehind(events []wire.Event) []wire.Event {
	kind := func(e wire.Event) string { return wire.Parsed(e.Data).Path("delta", "type").Text() }
	at := slices.IndexFunc(events, func(e wire.Event) bool { return kind(e) == "signature_delta" })
	if at < 0 || at+1 >= len(events) {
		return events
	}
	rest := slices.Concat(events[:at], events[at+2:])
	call := slices.IndexFunc(rest, func(e wire.Event) bool { return kind(e) == "input_json_delta" })
	if call < at {
		return events
	}
	return slices.Concat(rest[:call+1], events[at:at+2], rest[call+1:])
}
