// Program is the reference loop as each kind of program that the runners start, so that repeat can
// judge it through all of them:
//
//	go build -o /tmp/ ./repeat/program && PATH=/tmp:$PATH
//	go run ./repeat -- run -- program adapter
//	go run ./repeat -- run --runner command --feature streaming --feature parallel-calls -- program command
//	go run ./repeat -- run --runner agent --agent repeat/program/agent.yaml
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner/testadapters"
	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

func main() {
	kind := ""
	if len(os.Args) > 1 {
		kind = os.Args[1]
	}
	switch kind {
	case "adapter":
		serve()
	case "command":
		testadapters.Command()
	case "agent":
		testadapters.Agent(os.Args[2:])
	default:
		fmt.Fprintln(os.Stderr, "expected adapter, command, or agent BASE_URL MCP_URL PROMPT")
		os.Exit(2)
	}
}

// serve is an adapter that claims all that the reference loop can do.
func serve() {
	loop := refloop.Loop{}
	hello := protocol.Hello{Name: "the reference loop in a process", Dialects: loop.Dialects(), Features: protocol.Features(), Concurrency: 64}
	adapter.Serve(hello, func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		return loop.Run(ctx, task), nil
	})
}
