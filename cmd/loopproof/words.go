package main

import (
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// deliveryText describes a delivery.
func deliveryText(d wire.Delivery) string {
	stream := "a stream"
	if by := d.Framer(); d.Streams() && by != wire.SSE {
		stream += " of " + by.Title
	}
	switch d.Like() {
	case wire.DeliverSocket:
		return "the events of a stream, each a message of a WebSocket"
	case wire.DeliverJSON:
		return "one JSON body, not streamed"
	case wire.DeliverSSE:
		return stream + ", one event per write"
	case wire.DeliverMerged:
		return stream + ", all events in one write"
	case wire.DeliverBytes:
		return stream + ", one byte per write"
	case wire.DeliverSplit:
		if d.Framer() != wire.SSE {
			return stream + ", split inside characters, inside the head of events and before their last bytes"
		}
		return "a stream with \\r\\n line ends, split inside characters and between \\r and \\n"
	case wire.DeliverComments:
		return "a stream with comments and keep-alives between the events"
	default:
		return ""
	}
}

func designText(d protocol.Design) string {
	switch d {
	case protocol.WindowedHistory:
		return "sends only the newest part of a long conversation"
	case protocol.AnswersByTool:
		return "lets the model end a conversation by calling a tool"
	case protocol.CachedResults:
		return "may answer a repeated call with the earlier result, without running the tool"
	case protocol.OwnModel:
		return "asks a model that it knows by name, and not that of the task"
	default:
		return ""
	}
}

// designEffect says what follows from the claim of a design.
func designEffect(d protocol.Design) string {
	switch d {
	case protocol.WindowedHistory:
		return "it may leave out old messages; the calls and results that it sends have to stay together"
	case protocol.AnswersByTool:
		return "the model gives its answers with that tool, in scenarios with one prompt and a plain answer at the end; the tool is final_answer with the argument answer, or the one that answer_tool or --answer-tool names"
	case protocol.CachedResults:
		return "a repeated call counts as run if the earlier one was run successfully; the result has to be the earlier one, and a call with other arguments or after a failure has to be run"
	case protocol.OwnModel:
		return "the model of its first request stands for that of the task; later turns and prompts have to ask the same one"
	default:
		return ""
	}
}
