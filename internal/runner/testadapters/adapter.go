package testadapters

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// claims returns what the good adapter says of itself, and all others that get so far.
func claims(more ...protocol.Feature) protocol.Hello {
	features := []protocol.Feature{
		protocol.Streaming, protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt, protocol.Retries,
		protocol.TurnLimit, protocol.UsageCounts, protocol.ResumeAfterFailure,
	}
	return protocol.Hello{
		Type: protocol.TypeHello, Protocol: protocol.Version,
		Name: "test adapter", Version: "1.2.3", Language: "go",
		Dialects: dialect.Names(dialect.All()[:1]), Features: append(features, more...), Concurrency: 8,
	}
}

// say prints one line of the protocol.
func say(what any) {
	text, err := json.Marshal(what)
	if err != nil {
		panic(err)
	}
	print(string(text) + "\n")
}

// print writes to standard output at once; a write to a file is whole, also alongside others.
func print(text string) { os.Stdout.WriteString(text) }

// order is a line to an adapter: a task, a cancel, a decision, or a prompt.
type order struct {
	protocol.Task
	Scope     protocol.Scope      `json:"scope"`     // of a cancel
	Text      string              `json:"text"`      // of a prompt
	Approval  string              `json:"approval"`  // of a decision
	Decisions []protocol.Decision `json:"decisions"` // likewise
}

// serve says hello and handles what comes, each task alongside the others, until there is no more.
func serve(handle func(order), more ...protocol.Feature) {
	say(claims(more...))
	var running sync.WaitGroup
	read(func(o order) { running.Go(func() { handle(o) }) })
	running.Wait()
}

// serveInTurn handles one task after the other, like a program that does nothing in the background.
func serveInTurn(handle func(order)) {
	say(claims())
	read(handle)
}

func read(handle func(order)) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			panic(err)
		}
		handle(o)
	}
}

// carryOut holds the conversation by the reference loop. A task without a model is answered with
// its prompt, for tests that look at the protocol alone.
func carryOut(o order) protocol.Outcome {
	if o.BaseURL == "" {
		return protocol.Outcome{Type: protocol.TypeOutcome, ID: o.ID, Status: protocol.Completed, Text: o.Prompts[0]}
	}
	return refloop.Loop{Backoff: time.Millisecond}.Run(context.Background(), o.Task)
}

// about reports whether a task is one at which a program does wrong.
func (w word) about(o order) bool { return strings.Contains(strings.Join(o.Prompts, " "), string(w)) }

type word string
