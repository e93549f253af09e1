// Package sockets holds faults: loops that are wrong about the WebSocket over which they ask a model.
package sockets

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

const noSockets = "models are asked over HTTP alone."

// Faults returns the faults of the area.
func Faults() []hooks.Fault {
	return []hooks.Fault{
		{
			Name:      "sockets/asks-over-http",
			Does:      "The model is asked over HTTP, though the task wants a WebSocket.",
			Only:      neutral.Sockets,
			Elsewhere: noSockets,
			Breaks:    []string{"sockets/asked-over-one"},
			Make:      hooks.OnTask(func(task *protocol.Task) { task.Socket = false }),
		},
		{
			Name:      "sockets/ends-with-the-connection",
			Does:      "The run fails when the connection has lasted as long as it may.",
			Reports:   []string{"https://github.com/digitallyinduced/haskell-agent/pull/83"},
			Only:      neutral.Sockets,
			Elsewhere: noSockets,
			Breaks:    []string{"sockets/opened-again"},
			Make:      givesUpOn("websocket_connection_limit_reached"),
		},
		{
			Name:      "sockets/goes-on-from-a-lost-response",
			Does:      "A new connection is asked to go on from the response that the one before kept, and the run fails when it is not found.",
			Reports:   []string{"https://github.com/Soju06/codex-lb/issues/464", "https://github.com/Effect-TS/effect/pull/8355"},
			Only:      neutral.Sockets,
			Elsewhere: noSockets,
			Breaks: []string{"history/lost-thread-sent-again", "failure/next-prompt-asked", "models/fallback-asked", "retry/lost-connection-retried",
				"retry/rate-limit-retried", "retry/server-error-retried", "retry/timeout-and-conflict-retried"},
			Make: func() hooks.Mutation {
				m := givesUpOn("previous_response_not_found")()
				m.Loop = func(l *refloop.Loop) { l.SocketUse = refloop.OnlyWhatIsNew }
				return m
			},
		},
	}
}

// givesUpOn makes a loop that asks no more after an error with a code.
func givesUpOn(code string) func() hooks.Mutation {
	return func() hooks.Mutation {
		over := false
		return hooks.Mutation{
			Request: func(r *hooks.Request) {
				if over {
					r.Abort()
				}
			},
			Answer: func(a *hooks.Answer) { over = over || a.Dialect.ErrorCode(a.Body) == code },
		}
	}
}
