package main

import (
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// deliveryText says in a few words how a delivery brings its bytes.
func deliveryText(d wire.Delivery) string {
	switch d {
	case wire.DeliverJSON:
		return "one body, not streamed"
	case wire.DeliverSSE:
		return "a stream, one event a write"
	case wire.DeliverMerged:
		return "a stream, all events in one write"
	case wire.DeliverBytes:
		return "a stream, one byte a write"
	case wire.DeliverSplit:
		return "a stream with lines that end in \\r\\n, its writes cut inside characters and between \\r and \\n"
	case wire.DeliverComments:
		return "a stream with comments and keep-alives between the events"
	default:
		return ""
	}
}

// featureText says in a few words what a loop claims by a feature.
func featureText(f protocol.Feature) string {
	switch f {
	case protocol.Streaming:
		return "reads streamed answers"
	case protocol.ParallelCalls:
		return "takes several tool calls in one turn"
	case protocol.Reasoning:
		return "handles the model's reasoning as the provider asks"
	case protocol.MultiPrompt:
		return "goes on with a conversation after its answer"
	case protocol.Cancel:
		return "ends a task early when it is told to"
	case protocol.Retries:
		return "asks again when a request failed for a reason that may pass"
	case protocol.TurnLimit:
		return "stops after a number of turns"
	case protocol.UsageCounts:
		return "reports the tokens that the model counted"
	case protocol.Images:
		return "shows the model images that tools return"
	case protocol.Transcript:
		return "reports its own messages"
	case protocol.Events:
		return "reports what it does as it goes"
	case protocol.Executions:
		return "runs tools through the URLs of the task; claimed by every loop that does not say otherwise"
	default:
		return ""
	}
}
