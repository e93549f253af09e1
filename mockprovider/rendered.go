package mockprovider

import (
	"sync"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/scenarios"
)

// rendered remembers answers that were rendered, so that one that is asked for a thousand times is rendered once.
// A nil one remembers nothing.
type rendered struct {
	mu      sync.RWMutex
	answers map[renderedKey]response
}

// renderedKey is all that an answer depends on besides its conversation.
type renderedKey struct {
	turn      *scenarios.Turn
	model     string
	stream    bool
	usage     bool
	reasoning bool
	chunk     int
	thread    string // which conversation is kept under the id of the answer; "" is none
}

func keyOf(t *scenarios.Turn, x *trace.Exchange) renderedKey {
	req := x.Request
	return renderedKey{turn: t, model: req.Model, stream: req.Stream, usage: req.Dialect.ShowsUsage(req), reasoning: req.Dialect.ShowsReasoning(req), thread: threadID(x)}
}

// maxRendered bounds how many answers are remembered: clients may name any model.
const maxRendered = 1000

// get returns an answer, rendering it when it is asked for the first time.
func (r *rendered) get(key renderedKey, render func() response) response {
	if r == nil {
		return render()
	}
	r.mu.RLock()
	known, ok := r.answers[key]
	r.mu.RUnlock()
	if ok {
		return known
	}
	fresh := render()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.answers) < maxRendered {
		r.answers[key] = fresh
	}
	return fresh
}
