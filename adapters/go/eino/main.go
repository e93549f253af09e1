// Lets Loopproof judge the ReAct agent of eino, with the model for OpenAI of eino-ext.
//
//	go build -o eino . && loopproof run -- ./eino
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"
	"sync"

	"github.com/loopproof/loopproof/protocol"
)

// Who is judged, and what it claims. What is claimed is judged in full, so: only what the library offers. Its model asks
// again after no error, and returns no reasoning to the provider.
var hello = protocol.Hello{
	Type: protocol.TypeHello, Protocol: protocol.Version,
	Name: "eino ReAct agent", Version: "eino 0.7.36, eino-ext openai 0.1.7", Language: "go",
	Dialects:    []string{"chat"},
	Features:    []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.MultiPrompt, protocol.ResumeAfterFailure, protocol.Cancel, protocol.TurnLimit, protocol.UsageCounts},
	Concurrency: 8,
}

func main() {
	a := adapter{out: json.NewEncoder(os.Stdout), running: map[string]context.CancelFunc{}}
	os.Stdout = os.Stderr // standard output is for the protocol, logs belong on standard error
	a.say(hello)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 8<<20)
	for in.Scan() {
		if err := a.take(in.Bytes()); err != nil {
			log.Fatalf("expected a task or a cancellation on standard input: %v", err)
		}
	}
	a.tasks.Wait()
}

// adapter speaks version 1 of the protocol.
type adapter struct {
	mu      sync.Mutex
	out     *json.Encoder
	running map[string]context.CancelFunc
	tasks   sync.WaitGroup
}

func (a *adapter) take(line []byte) error {
	var task protocol.Task
	if err := json.Unmarshal(line, &task); err != nil {
		return err
	}
	switch task.Type {
	case protocol.TypeCancel:
		a.cancel(task.ID)
	case protocol.TypeTask:
		ctx := a.begin(task.ID)
		a.tasks.Go(func() { a.carryOut(ctx, task) }) // not waited for: other tasks go on meanwhile
	}
	return nil
}

func (a *adapter) begin(id string) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running[id] = cancel
	return ctx
}

func (a *adapter) cancel(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if cancel, ok := a.running[id]; ok {
		cancel()
	}
}

// carryOut reports exactly one outcome for a task, whatever happens.
func (a *adapter) carryOut(ctx context.Context, task protocol.Task) {
	outcome, err := converse(ctx, task)
	if err != nil {
		outcome = failure(ctx, err)
	}
	outcome.Type, outcome.ID = protocol.TypeOutcome, task.ID
	a.cancel(task.ID)
	a.say(outcome)
}

func (a *adapter) say(line any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.out.Encode(line); err != nil {
		log.Fatalf("cannot write to standard output: %v", err)
	}
}
