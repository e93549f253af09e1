package chat

import "github.com/loopproof/loopproof/internal/wire"

// stopWord is where an answer says why the model stopped.
var stopWord = wire.StopWord{Key: "finish_reason", Is: "finish reason", In: func(payload *wire.Node) *wire.Node { return payload.Path("choices", 0) }}

// finishQuirks are about the word that says why the model stopped.
func finishQuirks() []wire.Quirk {
	calls := func(choice *wire.Node) { choice.Set("finish_reason", "tool_calls") }
	return append(stopWord.Quirks(),
		wire.Quirk{
			Name:   "finish-calls-without-call",
			Does:   "ends an answer without tool calls with the finish reason tool_calls",
			Events: onFinish(calls),
			Whole:  wire.InBody(func(body *wire.Node) { calls(body.Path("choices", 0)) }),
		},
		wire.Quirk{
			Name:   "stop-reason-unknown",
			Does:   "ends an answer with an unknown stop reason",
			Answer: func(a *wire.Answer) { a.Finish = "budget_reached" },
		},
	)
}

// usageQuirks are about the token counts of streams.
func usageQuirks() []wire.Quirk {
	return []wire.Quirk{
		{Name: "usage-three-times", Does: "sends the token counts of a stream in three places", Events: usageThreeTimes},
		{Name: "usage-in-every-chunk", Does: "sends the token counts so far in every chunk of a stream", Events: usageInEveryChunk},
		{
			Name: "usage-missing",
			Does: "sends no token counts although the request asks for them",
			Events: rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
				if len(chunk.Path("choices").All()) == 0 && chunk.Path("usage").Is(wire.Object) {
					return nil
				}
				chunk.Remove("usage")
				e.Data = chunk.JSON()
				return []wire.Event{e}
			}),
		},
	}
}

// counts returns the token counts of a stream, or nil.
func counts(events []wire.Event) *wire.Node {
	var found *wire.Node
	for _, e := range events {
		if usage := wire.Parsed(e.Data).Path("usage"); usage.Is(wire.Object) {
			found = usage
		}
	}
	return found
}

// usageThreeTimes repeats the counts alongside the finish reason and in a place of the provider's
// own, as Groq does.
func usageThreeTimes(events []wire.Event) []wire.Event {
	usage := counts(events)
	if usage == nil {
		return events
	}
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		if e.Finish {
			chunk.Set("x_groq", wire.Fields{{Key: "usage", Value: wire.Raw(usage.JSON())}})
			chunk.Set("usage", usage.Clone())
		}
		e.Data = chunk.JSON()
		return []wire.Event{e}
	})(events)
}

// usageInEveryChunk counts up from the tokens of the prompt.
func usageInEveryChunk(events []wire.Event) []wire.Event {
	usage := counts(events)
	if usage == nil {
		return events
	}
	prompt, _ := usage.Path("prompt_tokens").Int()
	total, _ := usage.Path("completion_tokens").Int()
	so := 0
	return wire.EachPayload(func(chunk *wire.Node) {
		if !chunk.Path("usage").Is(wire.Object) {
			chunk.Set("usage", wire.Fields{{Key: "prompt_tokens", Value: prompt}, {Key: "completion_tokens", Value: so}, {Key: "total_tokens", Value: prompt + so}})
			so = min(so+1, total)
		}
	})(events)
}
