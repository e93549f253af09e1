package chat

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// argumentQuirks are about the arguments of calls.
func argumentQuirks() []wire.Quirk {
	inHead := func(change func(function *wire.Node)) func([]wire.Event) []wire.Event {
		return eachFragment(func(f fragment) {
			if f.isHead() {
				change(f.function())
			}
		})
	}
	asObject := func(function *wire.Node) {
		if object := wire.Parsed([]byte(function.Path("arguments").Text())); object != nil {
			function.Set("arguments", object)
		}
	}
	return []wire.Quirk{
		{
			Name:   "arguments-null-first",
			Does:   "begins the arguments of a tool call with null",
			Events: inHead(func(function *wire.Node) { function.Set("arguments", nil) }),
		},
		{
			Name:   "arguments-missing-first",
			Does:   "begins a tool call without the key arguments",
			Events: inHead(func(function *wire.Node) { function.Remove("arguments") }),
		},
		{
			Name: "arguments-object",
			Does: "sends the arguments of a tool call as an object, not as a string",
			Events: func(events []wire.Event) []wire.Event {
				return eachFragment(func(f fragment) { asObject(f.function()) })(inOneDelta(events))
			},
			Whole: eachCall(func(call *wire.Node) { asObject(call.Path("function")) }),
		},
		{
			Name:   "fragments-none",
			Does:   "sends a call without arguments without the key arguments",
			Events: withoutArguments,
		},
		{
			Name:   "arguments-braces-first",
			Does:   "begins the arguments of a tool call with {} and sends the real ones after it",
			Events: inHead(func(function *wire.Node) { function.Set("arguments", "{}") }),
		},
		{
			Name:   "arguments-by-letter",
			Does:   "sends the arguments of a tool call one character at a time, which splits escapes and numbers",
			Events: recut(func(arguments string) []string { return strings.Split(arguments, "") }),
		},
		{
			Name: "arguments-empty-pieces",
			Does: "sends empty pieces among the arguments of a tool call",
			Events: recut(func(arguments string) []string {
				letters := []rune(arguments)
				half := len(letters) / 2
				return []string{"", "", string(letters[:half]), "", string(letters[half:]), ""}
			}),
		},
		{
			Name: "arguments-parse-early",
			Does: "sends arguments that are valid JSON before their last piece",
			Events: recut(func(arguments string) []string {
				end := len(strings.TrimRight(arguments, " \n"))
				return []string{arguments[:end], arguments[end:]}
			}),
		},
	}
}

// withoutArguments leaves out the arguments of calls that have none: the key, and their pieces.
func withoutArguments(events []wire.Event) []wire.Event {
	whole := allArguments(events)
	none := func(f fragment) bool { return wire.BlankArguments(whole[f.nth]) || whole[f.nth] == "{}" }
	var c counter
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		for _, f := range c.of(chunk) {
			switch {
			case none(f) && f.isHead():
				f.function().Remove("arguments")
			case none(f) && !e.Finish:
				return nil
			}
		}
		e.Data = chunk.JSON()
		return []wire.Event{e}
	})(events)
}

// togetherQuirks are about what else is in the delta of a call.
func togetherQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "call-in-one-delta",
			Does:   "sends each complete tool call in one delta",
			Events: inOneDelta,
		},
		{
			Name:   "calls-in-one-delta",
			Does:   "sends all tool calls of a turn in one delta",
			Events: func(events []wire.Event) []wire.Event { return inFirstDelta(inOneDelta(events)) },
		},
		{
			Name:   "calls-on-finish",
			Does:   "sends the last tool call of a turn with the finish reason",
			Events: callsOnFinish,
		},
		{
			Name:   "call-ends-in-nothing",
			Does:   "sends an empty piece of arguments after each complete tool call",
			Events: func(events []wire.Event) []wire.Event { return endInNothing(inOneDelta(events)) },
		},
		{
			Name:   "text-beside-call",
			Does:   "sends the end of a text and the beginning of a tool call in one delta",
			Events: textBesideCall,
		},
		{
			Name: "empty-text-beside-call",
			Does: "sends an empty text in every delta of a tool call",
			Events: eachChoice(func(choice *wire.Node) {
				if choice.Path("delta", "tool_calls") != nil {
					choice.Path("delta").Set("content", "")
				}
			}),
		},
		{
			Name:   "text-inside-call",
			Does:   "sends a text between two pieces of the arguments of a tool call",
			Events: textInsideCall,
		},
	}
}

// callsOnFinish moves the last whole calls into the chunk with the finish reason.
func callsOnFinish(events []wire.Event) []wire.Event {
	events = slices.Clone(inOneDelta(events))
	for last, e := range slices.Backward(events) {
		chunk := wire.Parsed(e.Data)
		delta := chunk.Path("choices", 0, "delta")
		if calls := delta.Get("tool_calls"); len(calls.All()) > 0 {
			delta.Remove("tool_calls")
			events[last].Data = chunk.JSON()
			return onFinish(func(choice *wire.Node) { choice.Path("delta").Set("tool_calls", calls) })(events)
		}
	}
	return events
}

// inFirstDelta moves whole calls into the delta of the first.
func inFirstDelta(events []wire.Event) []wire.Event {
	var entries []*wire.Node
	eachFragment(func(f fragment) { entries = append(entries, f.entry.Clone()) })(events)
	first := true
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		if calls := chunk.Path("choices", 0, "delta", "tool_calls"); calls != nil {
			if !first {
				return nil
			}
			first = false
			calls.SetItems(entries...)
		}
		e.Data = chunk.JSON()
		return []wire.Event{e}
	})(events)
}

func endInNothing(events []wire.Event) []wire.Event {
	var c counter
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		e.Data = chunk.JSON()
		all := []wire.Event{e}
		for _, f := range c.of(chunk) {
			nothing := wire.Fields{{Key: "index", Value: f.nth}, {Key: "function", Value: wire.Fields{{Key: "arguments", Value: ""}}}}
			all = append(all, likeChunk(chunk, wire.Fields{{Key: "tool_calls", Value: []wire.Fields{nothing}}}))
		}
		return all
	})(events)
}

// textOf returns the text of a delta.
func textOf(chunk *wire.Node) string { return chunk.Path("choices", 0, "delta", "content").Text() }

// textBesideCall joins the last delta of a text and the first one of a call.
func textBesideCall(events []wire.Event) []wire.Event {
	last := -1
	for i, e := range events {
		if textOf(wire.Parsed(e.Data)) != "" {
			last = i
		}
	}
	if last < 0 || last+1 == len(events) {
		return events
	}
	text, joined := textOf(wire.Parsed(events[last].Data)), wire.Parsed(events[last+1].Data)
	joined.Path("choices", 0, "delta").Set("content", text)
	rest := append([]wire.Event{{Data: joined.JSON()}}, events[last+2:]...)
	return append(events[:last:last], rest...)
}

// textInsideCall moves the text after the first piece of the arguments.
func textInsideCall(events []wire.Event) []wire.Event {
	var text, changed []wire.Event
	var c counter
	for _, e := range events {
		chunk := wire.Parsed(e.Data)
		if textOf(chunk) != "" {
			text = append(text, e)
			continue
		}
		changed = append(changed, e)
		if of := c.of(chunk); len(of) > 0 && !of[0].isHead() {
			changed, text = append(changed, text...), nil
		}
	}
	if len(text) > 0 {
		return events // there are no arguments between which it could come
	}
	return changed
}
