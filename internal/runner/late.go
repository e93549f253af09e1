package runner

import (
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/internal/trace"
)

// late are the requests that came after the outcome of their case was reported. It is safe for use
// by many goroutines.
type late struct {
	mu       sync.Mutex
	requests int
	first    trace.Case // in which there was one
	path     string     // of that request
}

// of returns what notes the late requests of a case.
func (l *late) of(c trace.Case) *lateIn { return &lateIn{late: l, played: c} }

// lateIn notes the late requests of one case. It outlives the case, and so holds nothing else of
// it.
type lateIn struct {
	late     *late
	played   trace.Case
	reported bool // how the case ended; where it was ended by us, or its time was over, requests may be on their way
}

// note notes a request. It is called when the case has ended.
func (l *lateIn) note(path string) {
	if !l.reported {
		return
	}
	l.late.mu.Lock()
	defer l.late.mu.Unlock()
	if l.late.requests++; l.late.requests == 1 {
		l.late.first, l.late.path = l.played, path
	}
}

// notes says in a sentence how many requests came too late, or nothing.
func (l *late) notes() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.requests == 0 {
		return nil
	}
	what := "1 request"
	if l.requests > 1 {
		what = fmt.Sprintf("%d requests", l.requests)
	}
	return []string{fmt.Sprintf("%s came after the outcome of the case was reported, first to %s in %s: the adapter reports too early, or the "+
		"loop goes on by itself; they were answered with 404 and not judged", what, l.path, l.first.ID())}
}
