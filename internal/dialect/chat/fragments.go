package chat

import "github.com/loopproof/loopproof/internal/wire"

// fragment is an entry in the tool_calls of a delta: the head of a call, which names it, or a piece
// of its arguments.
type fragment struct {
	entry *wire.Node
	nth   int        // place of the call in its turn
	seen  int        // how many entries of the call came before
	head  *wire.Node // the first entry of the call, as it was before it was changed
}

func (f fragment) isHead() bool { return f.seen == 0 }

func (f fragment) function() *wire.Node { return f.entry.Path("function") }

func (f fragment) arguments() string { return f.entry.Path("function", "arguments").Text() }

func (f fragment) id() string { return f.head.Path("id").Text() }

func (f fragment) name() string { return f.head.Path("function", "name").Text() }

// counter tells which call each entry of a stream belongs to.
type counter struct {
	heads []*wire.Node
	seen  map[int]int
}

// of returns the fragments of a chunk.
func (c *counter) of(chunk *wire.Node) []fragment {
	if c.seen == nil {
		c.seen = map[int]int{}
	}
	var all []fragment
	for _, entry := range chunk.Path("choices", 0, "delta", "tool_calls").All() {
		nth, ok := entry.Path("index").Int()
		if !ok || nth > len(c.heads) {
			nth = len(c.heads)
		}
		if nth == len(c.heads) {
			c.heads = append(c.heads, entry.Clone())
		}
		all = append(all, fragment{entry: entry, nth: nth, seen: c.seen[nth], head: c.heads[nth]})
		c.seen[nth]++
	}
	return all
}

// eachFragment changes every entry in the tool_calls of a stream.
func eachFragment(change func(fragment)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		var c counter
		return wire.EachPayload(func(chunk *wire.Node) {
			for _, f := range c.of(chunk) {
				change(f)
			}
		})(events)
	}
}

// later changes all entries of a call but the first. Calls that come whole have none, and are cut
// in two for it.
func later(change func(fragment)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		return eachFragment(func(f fragment) {
			if !f.isHead() {
				change(f)
			}
		})(inTwoDeltas(events))
	}
}

// inTwoDeltas sends calls that come whole in two deltas each: all but the arguments, and the
// arguments.
func inTwoDeltas(events []wire.Event) []wire.Event {
	whole := true
	eachFragment(func(f fragment) { whole = whole && f.isHead() })(events)
	if !whole {
		return events
	}
	var c counter
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		var pieces []wire.Event
		for _, f := range c.of(chunk) {
			arguments := wire.Fields{{Key: "index", Value: f.nth}, {Key: "function", Value: wire.Fields{{Key: "arguments", Value: f.arguments()}}}}
			f.function().Set("arguments", "")
			for _, entry := range []wire.Raw{f.entry.JSON(), arguments.JSON()} {
				pieces = append(pieces, likeChunk(chunk, wire.Fields{{Key: "tool_calls", Value: []any{entry}}}))
			}
		}
		if len(pieces) > 0 && !e.Finish {
			return pieces
		}
		if len(pieces) > 0 {
			chunk.Path("choices", 0, "delta").Remove("tool_calls")
		}
		e.Data = chunk.JSON()
		return append(pieces, e)
	})(events)
}

// eachCall changes every tool call of an answer that is not streamed.
func eachCall(change func(call *wire.Node)) func([]byte) []byte {
	return inMessage(func(message *wire.Node) {
		for _, call := range message.Path("tool_calls").All() {
			change(call)
		}
	})
}

// allArguments returns the arguments of each call of a stream.
func allArguments(events []wire.Event) []string {
	var all []string
	eachFragment(func(f fragment) {
		if f.isHead() {
			all = append(all, "")
		}
		all[f.nth] += f.arguments()
	})(events)
	return all
}

// recut cuts the arguments of every call again: the first piece is where the first one was, the
// others follow it. What is in the head of a call stays there.
func recut(cut func(arguments string) []string) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		whole := allArguments(events)
		var c counter
		return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
			fragments := c.of(chunk)
			if len(fragments) != 1 || fragments[0].isHead() {
				e.Data = chunk.JSON()
				return []wire.Event{e}
			}
			f := fragments[0]
			if f.seen > 1 {
				return nil
			}
			var pieces []wire.Event
			for _, piece := range cut(whole[f.nth]) {
				f.function().Set("arguments", piece)
				pieces = append(pieces, wire.Event{Data: chunk.JSON()})
			}
			return pieces
		})(events)
	}
}

// inOneDelta sends every call whole, in the delta that opens it.
func inOneDelta(events []wire.Event) []wire.Event {
	whole := allArguments(events)
	var c counter
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		fragments := c.of(chunk)
		for _, f := range fragments {
			if !f.isHead() {
				return nil
			}
			f.function().Set("arguments", whole[f.nth])
		}
		e.Data = chunk.JSON()
		return []wire.Event{e}
	})(events)
}
