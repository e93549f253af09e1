package converse

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which the answers of Converse depart from the regular shape of
// their profile.
func Quirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "finish-calls-without-call",
			Does:   "ends an answer without tool calls with the stop reason tool_use",
			Needs:  wire.CallsFinish,
			Answer: func(a *wire.Answer) { a.Finish = wire.FinishCalls },
		},
		{
			Name:  "finish-stop-with-calls",
			Does:  "ends a turn with tool calls with the stop reason end_turn",
			Needs: wire.CallsFinish,
			Answer: func(a *wire.Answer) {
				if len(a.Calls) > 0 {
					a.Finish = wire.FinishStop
				}
			},
		},
		{
			Name: "block-stops-missing",
			Does: "does not say where a block of a stream ends",
			Events: func(events []wire.Event) []wire.Event {
				return slices.DeleteFunc(slices.Clone(events), func(e wire.Event) bool { return e.Name() == "contentBlockStop" })
			},
		},
		{
			Name:      "error-unmodeled",
			Does:      "sends an error in the headers of a message, which is no exception and has no payload",
			AllowedBy: eventStreams,
			Events:    unmodeled,
		},
	}
}

// eventStreams is the standard of the streams.
const eventStreams = "https://smithy.io/2.0/aws/amazon-eventstream.html"

func unmodeled(events []wire.Event) []wire.Event {
	changed := slices.Clone(events)
	for i, e := range changed {
		if e.Failure {
			said := wire.Parsed(e.Data).Get("message").Text()
			changed[i] = wire.Event{Lines: []string{"event: InternalServerError", "error-message: " + said}, Data: []byte{}, Failure: true}
		}
	}
	return changed
}
