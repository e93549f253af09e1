package sockets

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// socketDocs describe the WebSocket mode.
const socketDocs = "https://developers.openai.com/api/docs/guides/websocket-mode"

func hasSockets(d *wire.Dialect) bool { return d.Endpoint.Socket != nil }

var socketRules = []rules.Rule{
	{
		ID:        "sockets/asked-over-one",
		Level:     trace.Must,
		Where:     hasSockets,
		Text:      "In a task over a WebSocket the first request comes over one. After a failure a loop may ask over HTTP, and while the connection is in use.",
		Why:       "Otherwise the loop says that it uses WebSockets, and its caller does not get what they are used for: no new connection, and no whole history, for each turn.",
		Needs:     []protocol.Feature{protocol.Sockets},
		Invariant: true,
		Evidence:  "the first request of a task over a WebSocket",
		Sources: []rules.Source{
			{URL: socketDocs, Says: "one connection for the turns of a workflow"},
			{URL: "https://openai.github.io/openai-agents-python/models/#responses-websocket-transport", Says: "a loop that is told to use the transport"},
		},
		Run: askedOverOne,
	},
	{
		ID:       "sockets/opened-again",
		Level:    trace.Should,
		Where:    hasSockets,
		Text:     "A loop whose WebSocket has lasted as long as it may asks again: over a new one, or over HTTP.",
		Why:      "A connection ends after an hour, whatever it is used for; a task that takes longer would fail.",
		Needs:    []protocol.Feature{protocol.Retries, protocol.Sockets},
		Evidence: "a request after the news that the connection has lasted as long as it may",
		Sources: []rules.Source{
			{URL: socketDocs, Says: "websocket_connection_limit_reached: create a new websocket connection to continue"},
			{URL: "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/plugin/openai/README.md", Says: "counted as a failure that is retried, at last over HTTP"},
		},
		Run: openedAgain,
	},
}

func askedOverOne(r *rules.Run) (j rules.CheckResult) {
	if !r.Task.Socket || len(r.Exchanges) == 0 || r.Exchanges[0].Number != 1 { // a sub-agent may ask while the connection is in use
		return j
	}
	first := r.Exchanges[0]
	j.HasEvidence = true
	if !first.Socket {
		j.Find(trace.Finding{
			Request:  first.Number,
			Message:  "the request came over HTTP, though the task is to be carried out over a WebSocket",
			Expected: "a WebSocket, opened at the path of the request, and a message over it",
			Actual:   "a request with the method POST",
		})
	}
	return j
}

func openedAgain(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if !x.Turn.Step.SocketExpires {
			continue
		}
		again := x.Number < len(r.Exchanges) // also by one that names a response which is lost: that is for another rule
		j.HasEvidence = j.HasEvidence || again
		if !again && r.Outcome != nil && !r.TimeWasOver() {
			j.FindInAnswer(x, "the request was not sent again after "+x.Turn.Failure(), "the request again, over another connection", r.DescribeEnd())
		}
	}
	return j
}
