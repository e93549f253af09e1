package ollama

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which answers differ from the regular shape: what a line holds is
// left to the parser of each model.
func Quirks() []wire.Quirk {
	return wire.WithNeeds([]wire.Quirk{
		{
			Name:   "call-id-missing",
			Does:   "sends tool calls without an id",
			Events: wire.EachPayload(eachCall(func(call *wire.Node) { call.Remove("id") })),
			Whole:  wire.InBody(eachCall(func(call *wire.Node) { call.Remove("id") })),
		},
		{
			Name:   "calls-in-one-delta",
			Does:   "sends all tool calls of a turn in one line",
			Events: together(func(before, line message) bool { return before.calls && line.calls }),
		},
		{
			Name:   "calls-on-finish",
			Does:   "sends the last tool call of a turn in the line that ends the stream",
			Events: together(func(before, line message) bool { return before.calls && line.last }),
		},
		{
			Name:   "text-beside-call",
			Does:   "sends the end of a text and a tool call in one line",
			Events: together(func(before, line message) bool { return before.text && line.calls && !before.calls }),
		},
		{
			Name:   "text-on-finish",
			Does:   "sends the last piece of a text in the line that ends the stream",
			Events: together(func(before, line message) bool { return before.text && line.last }),
		},
		{
			Name:   "reasoning-beside-text",
			Does:   "sends the end of its thinking and the beginning of a text in one line",
			Events: together(func(before, line message) bool { return before.thinking && !before.text && line.text }),
		},
		{
			Name:   "reasoning-beside-call",
			Does:   "sends the end of its thinking and a tool call in one line",
			Events: together(func(before, line message) bool { return before.thinking && !before.calls && line.calls }),
		},
		{
			Name:   "call-index-missing",
			Does:   "sends tool calls without an index",
			Events: wire.EachPayload(eachFunction(func(f *wire.Node) { f.Remove("index") })),
			Whole:  wire.InBody(eachFunction(func(f *wire.Node) { f.Remove("index") })),
		},
		{
			Name:   "call-index-shared",
			Does:   "gives all tool calls of a turn the index 0",
			Events: wire.EachPayload(eachFunction(func(f *wire.Node) { f.Set("index", 0) })),
		},
		{
			Name:   "usage-missing",
			Does:   "does not count the tokens of a prompt that it has in its cache",
			Events: wire.EachPayload(func(line *wire.Node) { line.Remove("prompt_eval_count") }),
		},
	}, nil)
}

// message is what a line of a stream says.
type message struct{ text, thinking, calls, last bool }

func messageOf(line *wire.Node) message {
	m := line.Get("message")
	return message{
		text: m.Get("content").Text() != "", thinking: m.Get("thinking").Text() != "",
		calls: len(m.Get("tool_calls").All()) > 0, last: line.Get("done").True(),
	}
}

// together puts what a line says into the line behind it, where which says so of the two.
func together(which func(before, line message) bool) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) (changed []wire.Event) {
		for _, e := range events {
			end := len(changed) - 1
			if line := wire.Parsed(e.Data); end >= 0 && line != nil {
				before := wire.Parsed(changed[end].Data)
				if which(messageOf(before), messageOf(line)) {
					addTo(line.Get("message"), before.Get("message"))
					e.Data, changed = line.JSON(), changed[:end]
				}
			}
			changed = append(changed, e)
		}
		return changed
	}
}

// addTo puts what was said before into a message.
func addTo(m, before *wire.Node) {
	for _, key := range []string{"thinking", "content"} {
		if said := before.Get(key).Text() + m.Get(key).Text(); said != "" {
			m.Set(key, said)
		}
	}
	var calls []any
	for _, call := range slices.Concat(before.Get("tool_calls").All(), m.Get("tool_calls").All()) {
		calls = append(calls, wire.Raw(call.JSON()))
	}
	if calls != nil {
		m.Set("tool_calls", calls)
	}
}

func eachCall(change func(*wire.Node)) func(*wire.Node) {
	return func(answer *wire.Node) {
		for _, call := range answer.Path("message", "tool_calls").All() {
			change(call)
		}
	}
}

func eachFunction(change func(*wire.Node)) func(*wire.Node) {
	return eachCall(func(call *wire.Node) { change(call.Get("function")) })
}
