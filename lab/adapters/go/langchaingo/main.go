// Lets Loopproof judge the functions agent and the executor of LangChainGo, with its model for OpenAI.
//
//	go build -o langchaingo . && loopproof run -- ./langchaingo
package main

import (
	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

// What is claimed is judged in full, so: only what the library offers. The README says what it does
// not.
func main() {
	adapter.Serve(protocol.Hello{
		Name:        "LangChainGo",
		Version:     "0.1.14",
		Features:    []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.Cancel, protocol.TurnLimit},
		Concurrency: 8,
	}, converse)
}
