package chat

import (
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// indexQuirks are about the index by which the fragments of a call are found.
func indexQuirks() []wire.Quirk {
	unnumbered := eachFragment(func(f fragment) { f.entry.Remove("index") })
	return append([]wire.Quirk{
		{
			Name:   "call-index-missing",
			Does:   "sends complete tool calls without an index",
			Events: func(events []wire.Event) []wire.Event { return unnumbered(inOneDelta(events)) },
		},
		{
			Name:   "fragment-index-missing",
			Does:   "sends the pieces of a tool call without an index and, after the first, without an id",
			Events: unnumbered,
		},
	}, indexes.Quirks()...)
}

// indexes are those of calls.
var indexes = wire.Indexes{
	Name: "tool calls", First: "the only tool call of a turn", Second: "the second tool call of a turn", Shared: "all tool calls of a turn the index 0 and different ids",
	Number: func(index func(nth int) int) func([]wire.Event) []wire.Event {
		return eachFragment(func(f fragment) { f.entry.Set("index", index(f.nth)) })
	},
}

// callIDs is where the calls are in a chunk and in a whole answer.
var callIDs = wire.CallIDs{Key: "id", In: func(payload *wire.Node) (calls []*wire.Node) {
	for _, said := range []string{"delta", "message"} {
		calls = append(calls, payload.Path("choices", 0, said, "tool_calls").All()...)
	}
	return calls
}}

// idQuirks are about the ids of calls.
func idQuirks() []wire.Quirk {
	return append(callIDs.Quirks(), []wire.Quirk{
		{
			Name: "call-id-empty-later",
			Does: "sends an empty string as the id in later pieces of a tool call",
			Events: later(func(f fragment) {
				f.entry.Set("id", "")
				f.entry.Set("type", "function")
			}),
		},
		{
			Name: "call-id-null-later",
			Does: "sends null as the id and the name in later pieces of a tool call",
			Events: later(func(f fragment) {
				f.entry.Set("id", nil)
				f.function().Set("name", nil)
			}),
		},
		{
			Name:   "call-id-repeated",
			Does:   "repeats the id in all pieces of a tool call",
			Events: later(func(f fragment) { f.entry.Set("id", f.id()) }),
		},
		{
			Name:   "call-id-changing",
			Does:   "sends a different id in each piece of a tool call",
			Events: later(func(f fragment) { f.entry.Set("id", f.id()+strconv.Itoa(f.seen+1)) }),
		},
	}...)
}

// nameQuirks are about the names and types of calls.
func nameQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "call-name-repeated",
			Does:   "repeats the tool name in all pieces of a call",
			Events: later(func(f fragment) { f.function().Set("name", f.name()) }),
		},
		{
			Name:   "call-name-empty-later",
			Does:   "sends an empty string as the tool name in later pieces of a call",
			Events: later(func(f fragment) { f.function().Set("name", "") }),
		},
		{Name: "call-name-in-pieces", Does: "splits the tool name into two pieces", Events: nameInPieces},
		{Name: "call-name-late", Does: "sends the tool name after the first piece of the arguments", Events: nameLate},
		{
			Name:   "call-type-missing",
			Does:   "sends tool calls without a type",
			Events: eachFragment(func(f fragment) { f.entry.Remove("type") }),
			Whole:  eachCall(func(call *wire.Node) { call.Remove("type") }),
		},
		{
			Name:   "call-type-null",
			Does:   "sends tool calls whose type is null",
			Events: eachFragment(func(f fragment) { f.entry.Set("type", nil) }),
			Whole:  eachCall(func(call *wire.Node) { call.Set("type", nil) }),
		},
	}
}

// nameInPieces puts the second half of each name into a delta of its own.
func nameInPieces(events []wire.Event) []wire.Event {
	var c counter
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		fragments := c.of(chunk)
		if len(fragments) != 1 || !fragments[0].isHead() {
			e.Data = chunk.JSON()
			return []wire.Event{e}
		}
		f := fragments[0]
		name := f.name()
		f.function().Set("name", name[:len(name)/2])
		rest := wire.Fields{{Key: "index", Value: f.nth}, {Key: "function", Value: wire.Fields{{Key: "name", Value: name[len(name)/2:]}}}}
		e.Data = chunk.JSON()
		return []wire.Event{e, likeChunk(chunk, wire.Fields{{Key: "tool_calls", Value: []wire.Fields{rest}}})}
	})(events)
}

// nameLate leaves the name out of the head of each call and sends it with the second piece of the
// arguments.
func nameLate(events []wire.Event) []wire.Event {
	pieces := map[int]int{}
	eachFragment(func(f fragment) { pieces[f.nth]++ })(events)
	return eachFragment(func(f fragment) {
		switch {
		case pieces[f.nth] < 3: // there is no piece behind the first one of the arguments
		case f.isHead():
			f.function().Remove("name")
		case f.seen == 2:
			f.function().Set("name", f.name())
		}
	})(events)
}
