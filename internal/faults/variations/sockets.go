package variations

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// socketDocs describe WebSockets for Responses.
const socketDocs = "https://developers.openai.com/api/docs/guides/websocket-mode"

// The reference loop asks over one WebSocket as long as it lasts, and sends the whole history in each
// message.
var overSockets = []hooks.Variation{
	overSocket("sockets/only-what-is-new", "Each message says what is new, and names the response before it, which the connection keeps.",
		func(l *refloop.Loop) { l.SocketUse = refloop.OnlyWhatIsNew }, socketDocs+" (previous_response_id, with store=false)"),
	overSocket("sockets/one-for-each-request", "Each request opens a WebSocket of its own.",
		func(l *refloop.Loop) { l.SocketUse = refloop.OneForEach }, "https://openai.github.io/openai-agents-python/models/#responses-websocket-transport (a connection that is not shared by runs)"),
	overSocket("sockets/http-afterwards", "When a WebSocket has ended, or answered with an error, the rest is asked over HTTP.",
		func(l *refloop.Loop) { l.SocketUse = refloop.HTTPAfterwards }, "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/plugin/openai/README.md (falls back to HTTP)"),
}

func overSocket(name, does string, loop func(*refloop.Loop), source string) hooks.Variation {
	return hooks.Variation{
		Name: name, Does: does, Sources: []string{source}, Only: neutral.Sockets, Elsewhere: "models are asked over HTTP alone.",
		With: []protocol.Feature{protocol.Sockets},
		Make: func() hooks.Mutation { return hooks.Mutation{Loop: loop} },
	}
}
