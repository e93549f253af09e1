package chat

import "github.com/loopproof/loopproof/internal/wire"

// errorQuirks are about errors that come after the status 200, and about what looks like one.
func errorQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name: "error-beside-choices",
			Does: "sends an error with an empty list of choices",
			Events: onFailure(func(e *wire.Event, failure *wire.Node) {
				failure.Set("choices", []any{})
				e.Data = failure.JSON()
			}),
		},
		{
			Name: "error-as-text",
			Does: "sends an error that is a string",
			Events: onFailure(func(e *wire.Event, failure *wire.Node) {
				e.Data = wire.Fields{{Key: "error", Value: wordsOf(failure)}}.JSON()
			}),
			Whole: wire.InBody(func(body *wire.Node) { body.Set("error", wordsOf(body)) }),
		},
		{
			Name:   "error-named-event",
			Does:   "sends an error as an event named error",
			Events: onFailure(func(e *wire.Event, _ *wire.Node) { e.Lines = []string{"event: error"} }),
		},
		{
			Name: "error-bare-event",
			Does: "sends an error as an event named error, without the key error in its data",
			Events: onFailure(func(e *wire.Event, failure *wire.Node) {
				e.Lines = []string{"event: error"}
				e.Data = failure.Path("error").JSON()
			}),
		},
		{
			Name: "error-field",
			Does: "sends an error as the non-standard field error: of the stream, and ends the stream",
			Events: onFailure(func(e *wire.Event, failure *wire.Node) {
				e.Lines = []string{"error: " + string(failure.Path("error").JSON())}
				e.Data = nil
			}),
		},
		{
			Name:   "error-after-finish-word",
			Does:   "sends an error after the finish reason length",
			Answer: func(a *wire.Answer) { a.Finish = wire.FinishLength },
		},
		{
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
		{
			Name: "error-base-resp",
			Does: "sends an error as base_resp with a status_code",
			Events: onFailure(func(e *wire.Event, failure *wire.Node) {
				e.Data = baseResp(failure).JSON()
			}),
			Whole: func(body []byte) []byte { return baseResp(wire.Parsed(body)).JSON() },
		},
		{
			Name:   "error-null",
			Does:   "sends null as the error in every chunk of a good answer",
			Events: wire.EachPayload(func(chunk *wire.Node) { chunk.Set("error", nil) }),
			Whole:  wire.InBody(func(body *wire.Node) { body.Set("error", nil) }),
		},
		{
			Name:   "error-empty",
			Does:   "sends an empty string as the error in every chunk of a good answer",
			Events: wire.EachPayload(func(chunk *wire.Node) { chunk.Set("error", "") }),
			Whole:  wire.InBody(func(body *wire.Node) { body.Set("error", "") }),
		},
	}
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

// baseResp is an error as MiniMax sends it.
func baseResp(failure *wire.Node) wire.Fields {
	status := wire.Fields{{Key: "status_code", Value: 1000}, {Key: "status_msg", Value: wordsOf(failure)}}
	return wire.Fields{{Key: "choices", Value: nil}, {Key: "base_resp", Value: status}}
}

// wordsOf returns the message of an error.
func wordsOf(failure *wire.Node) string {
	if message := failure.Path("error", "message").Text(); message != "" {
		return message
	}
	return failure.Path("message").Text()
}
