package gemini

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// UnknownKind is the kind of part that the quirk unknown-blocks sends, which no reference has. A
// loop that keeps turns whole sends it back.
const UnknownKind = "progressUpdate"

const unknownPart = `{"` + UnknownKind + `":{"step":1}}`

// executed is a program that the model wrote and Google ran, and what came of it.
var executed = []wire.Raw{
	wire.Raw(`{"executableCode":{"language":"PYTHON","code":"print(4)"}}`),
	wire.Raw(`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"4\n"}}`),
}

// searched is a tool of Google's that the model called, and what Google answered.
var searched = []wire.Raw{
	wire.Raw(`{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["weather"]},"id":"srv_1"}}`),
	wire.Raw(`{"toolResponse":{"toolType":"GOOGLE_SEARCH_WEB","response":{"found":1},"id":"srv_1"}}`),
}

// partQuirks are about the parts of an answer.
func partQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "unknown-blocks",
			Does:   "sends a part of a kind that nobody knows yet before another one",
			Answer: func(a *wire.Answer) { a.Blocks = append(a.Blocks, wire.Raw(unknownPart)) },
		},
		{
			Name:   "provider-parts",
			Does:   "runs a program before it says something, and sends the program and what came of it as parts",
			Answer: func(a *wire.Answer) { a.Blocks = append(a.Blocks, executed...) },
		},
		{
			Name:   "provider-tools",
			Does:   "calls a tool of its own before it says something, and sends the call and the response as parts",
			Answer: func(a *wire.Answer) { a.Blocks = append(a.Blocks, searched...) },
		},
		{
			Name:   "fragments-none",
			Does:   "sends a call without arguments without the key args",
			Events: wire.EachPayload(withoutEmptyArgs),
			Whole:  wire.InBody(withoutEmptyArgs),
		},
		{
			Name:   "content-missing",
			Does:   "says why it stopped in a candidate without a content",
			Events: endsIn(func(candidate *wire.Node) { candidate.Remove("content") }),
		},
		{
			Name:   "parts-missing",
			Does:   "says why it stopped in a candidate whose content has no parts",
			Events: endsIn(func(candidate *wire.Node) { candidate.Set("content", wire.Fields{{Key: "role", Value: "model"}}) }),
		},
		{
			Name: "choices-missing",
			Does: "ends a stream with a chunk that has token counts and no candidates",
			Events: func(events []wire.Event) []wire.Event {
				return append(slices.Clone(events), bare(events[len(events)-1:]))
			},
		},
	}
}

func withoutEmptyArgs(chunk *wire.Node) {
	for _, part := range chunk.Path("candidates", 0, "content", "parts").All() {
		if call := part.Get("functionCall"); call != nil && len(call.Path("args").Keys()) == 0 {
			call.Remove("args")
		}
	}
}

// endsIn says why the model stopped in a chunk of its own, whose candidate is changed.
func endsIn(change func(candidate *wire.Node)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		at := slices.IndexFunc(events, func(e wire.Event) bool { return endsStream(e.Data) })
		if at < 0 {
			return events
		}
		said, end := wire.Parsed(events[at].Data), wire.Parsed(events[at].Data)
		said.Path("candidates", 0).Remove("finishReason")
		change(end.Path("candidates", 0))
		last := wire.Event{Data: end.JSON(), Finish: true}
		return slices.Concat(events[:at], []wire.Event{{Data: said.JSON()}, last}, events[at+1:])
	}
}
