package chat

import "github.com/loopproof/loopproof/internal/wire"

// errorQuirks are about errors that come after the status 200, and about what looks like one.
func errorQuirks() []wire.Quirk {
	return wire.ErrorQuirks(
		wire.Quirk{
			Name: "error-beside-choices",
			Does: "sends an error with an empty list of choices",
			Events: onFailure(func(e *wire.Event, failure *wire.Node) {
				failure.Set("choices", []any{})
				e.Data = failure.JSON()
			}),
		},
		wire.Quirk{
			Name:   "error-after-finish-word",
			Does:   "sends an error after the finish reason length",
			Answer: func(a *wire.Answer) { a.Finish = wire.FinishLength },
		},
		wire.Quirk{
			Name: "error-in-choice",
			Does: "sends an error inside the choice, with a part of the answer and the finish reason error",
			Whole: wire.InBody(func(body *wire.Node) {
				failure := body.Path("error").Clone()
				message := wire.Fields{{Key: "role", Value: "assistant"}, {Key: "content", Value: "It is 4 C"}}
				choice := wire.NewNode(wire.Fields{{Key: "index", Value: 0}, {Key: "message", Value: message}, {Key: "finish_reason", Value: "error"}})
				choice.Set("error", failure)
				body.Set("choices", []any{})
				body.Path("choices").SetItems(choice)
				body.Remove("error")
			}),
			Events: onFailure(func(e *wire.Event, failure *wire.Node) {
				choice := wire.NewNode(wire.Fields{{Key: "index", Value: 0}, {Key: "delta", Value: wire.Fields{}}, {Key: "finish_reason", Value: "error"}})
				choice.Set("error", failure.Path("error").Clone())
				chunk := wire.NewNode(wire.Fields{{Key: "choices", Value: []any{}}})
				chunk.Path("choices").SetItems(choice)
				e.Data = chunk.JSON()
			}),
		},
	)
}

// onFailure changes the event that is an error.
func onFailure(change func(e *wire.Event, failure *wire.Node)) func([]wire.Event) []wire.Event {
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		if e.Failure {
			change(&e, chunk)
		}
		return []wire.Event{e}
	})
}
