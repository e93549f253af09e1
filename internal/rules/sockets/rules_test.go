package sockets_test

import (
	"testing"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/rules/sockets"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	scene = Scene(`
deliveries: [socket]
prompt: What is the weather in Oslo?
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - socket-expires: true
  - text: It is 4 C.
`).Under("openai-responses")
	overSocket = scene.By(wire.DeliverSocket)
)

const first = `
	asks
	runs oslo
	asks on
		{{message 1}}
		result oslo`

func TestRules(t *testing.T) {
	CheckRules(t, sockets.Rules, Cases{
		"sockets/asked-over-one": {
			Holds("over one", overSocket, first),
			Holds("over HTTP at last", overSocket, first+`
				asks over HTTP
				completed`),
			Breaks("over HTTP", overSocket, `
				asks over HTTP
				runs oslo`,
				Found(1, "", "the request came over HTTP, though the task is to be carried out over a WebSocket", "a WebSocket, opened at the path of the request, and a message over it", "a request with the method POST")),
			SeesNothing("a task over HTTP", scene.By(wire.DeliverSSE), first),
		},
		"sockets/opened-again": {
			Holds("over another one", overSocket, first+`
				asks
				completed`),
			Holds("over HTTP", overSocket, first+`
				asks over HTTP
				completed`),
			Breaks("given up", overSocket, first+`
				failed: the connection has ended`,
				Found(2, "", "the request was not sent again after the end of a connection that had lasted as long as it may", "the request again, over another connection", `the loop reported failed: "the connection has ended"`)),
			SeesNothing("not that far", overSocket, "asks"),
		},
	})
}
