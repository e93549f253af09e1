package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// renderCache remembers answers that were rendered, so that one that is asked for a thousand times
// is rendered once. A nil one remembers nothing.
type renderCache struct {
	mu      sync.RWMutex
	answers map[renderKey]*response
	size    int // of the answers, in bytes
}

func newRenderCache() *renderCache { return &renderCache{answers: map[renderKey]*response{}} }

// renderKey is all that an answer depends on besides its run.
type renderKey struct {
	turn      *scenarios.Turn
	model     string
	stream    bool
	frames    *wire.Framer
	usage     bool
	reasoning bool
	compacts  bool // the request asks the provider to make its history shorter
	pieces    pieces
	door      *wire.Door
	choices   int    // how many the request wants
	thread    string // which history is kept under the id of the answer; "" is none

	repeated [sha256.Size]byte // of the request, in the answer
}

// choicesOf returns how many choices the answer to a request has. A loop that is judged gets one.
func choicesOf(s *settings, req *wire.Request) int {
	if _, ignored := s.profile.NotBoundBy["n"]; ignored || s.loop || req.Dialect.Choices == "" {
		return 1
	}
	return max(1, req.Dialect.DemandsOf(req).Choices)
}

func keyOf(s *settings, in *received, c *choice) renderKey {
	req := in.request
	return renderKey{
		turn: c.turn, model: req.Model, stream: req.Stream, frames: req.Frames(), usage: req.Dialect.ShowsUsage(req), reasoning: req.Dialect.ShowsReasoning(req), compacts: req.Dialect.Compacts(req),
		pieces: c.plan.pieces(), door: req.Door, choices: choicesOf(s, req), thread: historyID(in), repeated: repeatedOf(req),
	}
}

// repeatedOf returns a digest of what the form of the answer depends on in a request.
func repeatedOf(req *wire.Request) (digest [sha256.Size]byte) {
	if len(req.Dialect.Repeated) == 0 {
		return digest
	}
	h := sha256.New()
	for _, key := range req.Dialect.Repeated {
		if n := req.Body.Get(key); n != nil {
			h.Write([]byte(key))
			h.Write(n.Raw)
		}
		h.Write([]byte{0})
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// At most so many answers are remembered, and so many bytes of them: clients may name any model,
// and the id of an answer may depend on the whole conversation.
const (
	maxRendered      = 1000
	maxRenderedBytes = 8 << 20
)

// get returns an answer, rendering it when it is asked for the first time.
func (r *renderCache) get(key renderKey, render func() *response) *response {
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
	r.put(key, fresh)
	return fresh
}

// put remembers an answer. Where they become too many, all others are forgotten.
func (r *renderCache) put(key renderKey, fresh *response) {
	size := fresh.size()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.answers) >= maxRendered || r.size+size > maxRenderedBytes {
		clear(r.answers)
		r.size = 0
	}
	if _, known := r.answers[key]; !known {
		r.answers[key] = fresh
		r.size += size
	}
}

// historyID returns where the id of an answer comes from under which a history is kept, and ""
// where none is. Outside of runs it depends on the whole history, so that clients only share a
// history if theirs are equal.
func historyID(in *received) string {
	if !in.history.Kept {
		return ""
	}
	sum := sha256.New()
	key := in.conversation()
	sum.Write(key[:])
	for _, tool := range in.request.Tools {
		sum.Write(tool.Node.Raw)
	}
	return fmt.Sprint("thread ", hex.EncodeToString(sum.Sum(nil)[:8]))
}
