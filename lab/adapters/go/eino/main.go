// Lets Loopproof judge the ReAct agent of eino, with the model for OpenAI of eino-ext.
//
//	go build -o eino . && loopproof run -- ./eino
package main

import (
	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

// What is claimed is judged in full, so: only what the library offers. Its model asks again after
// no error, and returns no reasoning to the provider.
func main() {
	adapter.Serve(protocol.Hello{
		Name:        "eino ReAct agent",
		Version:     "eino 0.7.36, eino-ext openai 0.1.7",
		Features:    []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.MultiPrompt, protocol.ResumeAfterFailure, protocol.Cancel, protocol.TurnLimit, protocol.UsageCounts},
		Concurrency: 8,
	}, converse)
}
