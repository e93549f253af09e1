// Lets Loopproof judge Generate of Genkit for Go, with its plugin for OpenAI-compatible APIs.
//
//	go build -o genkit . && loopproof run -- ./genkit
package main

import (
	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

// What is claimed is judged in full, so: only what the library offers. The plugin reads no reasoning.
func main() {
	adapter.Serve(protocol.Hello{
		Name:    "Genkit for Go",
		Version: "1.4.0",
		Features: []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.MultiPrompt, protocol.ResumeAfterFailure, protocol.Cancel,
			protocol.Retries, protocol.TurnLimit, protocol.UsageCounts},
		Concurrency: 8,
	}, converse)
}
