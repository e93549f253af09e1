package responses

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// errorQuirks are about errors that come after the status 200.
func errorQuirks() []wire.Quirk {
	return wire.ErrorQuirks(
		wire.Quirk{
			Name: "failed-alone",
			Does: "says that a response has failed in the response alone, and sends no event of the type error",
			Events: func(events []wire.Event) []wire.Event {
				if !slices.ContainsFunc(events, hasFailed) { // it has not begun
					return events
				}
				return slices.DeleteFunc(slices.Clone(events), func(e wire.Event) bool { return e.Failure && !hasFailed(e) })
			},
			Whole: failedResponse,
		},
		wire.Quirk{
			Name: "error-flat",
			Does: "sends an error as an event whose code and message are keys of their own",
			Events: func(events []wire.Event) []wire.Event {
				changed := slices.Clone(events)
				for i, e := range changed {
					if payload := wire.Parsed(e.Data); e.Failure && !hasFailed(e) {
						changed[i].Data = flat(payload)
					}
				}
				return changed
			},
		},
		wire.Quirk{
			Name: "error-untyped",
			Does: "sends an error as a payload without a type, and no response.failed after it",
			Events: func(events []wire.Event) (changed []wire.Event) {
				for _, e := range events {
					if payload := wire.Parsed(e.Data); e.Failure && !hasFailed(e) {
						payload.Remove("type", "sequence_number")
						e = wire.Event{Data: payload.JSON(), Failure: true}
					}
					if !hasFailed(e) {
						changed = append(changed, e)
					}
				}
				return changed
			},
		},
	)
}

// flat returns an error as the reference of the API has it:
// https://platform.openai.com/docs/api-reference/responses-streaming/error
func flat(payload *wire.Node) []byte {
	problem := payload.Get("error")
	if !problem.Is(wire.Object) {
		problem = payload
	}
	number, _ := payload.Get("sequence_number").Int()
	return wire.Fields{
		{Key: "type", Value: "error"}, {Key: "code", Value: problem.Get("code").Text()}, {Key: "message", Value: messageOf(payload)},
		{Key: "param", Value: nil}, {Key: "sequence_number", Value: number},
	}.JSON()
}

// hasFailed reports whether an event has the response that failed.
func hasFailed(e wire.Event) bool {
	return e.Failure && kindOf(wire.Parsed(e.Data)) == "response.failed"
}

// failedResponse returns the response that failed, instead of an error alone, with what every
// response has: https://platform.openai.com/docs/api-reference/responses/object
func failedResponse(body []byte) []byte {
	problem := wire.Fields{{Key: "code", Value: "server_error"}, {Key: "message", Value: messageOf(wire.Parsed(body))}}
	return wire.Fields{
		{Key: "id", Value: itemID("resp", string(body), 0)}, {Key: "object", Value: "response"}, {Key: "created_at", Value: created},
		{Key: "status", Value: failed}, {Key: "error", Value: problem}, {Key: "incomplete_details", Value: nil},
		{Key: "instructions", Value: nil}, {Key: "metadata", Value: wire.Fields{}}, {Key: "model", Value: "loopproof"},
		{Key: "output", Value: []any{}}, {Key: "parallel_tool_calls", Value: true}, {Key: "temperature", Value: 1},
		{Key: "tool_choice", Value: "auto"}, {Key: "tools", Value: []any{}}, {Key: "top_p", Value: 1}, {Key: "usage", Value: nil},
	}.JSON()
}
