package runner

import (
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/internal/trace"
)

// late are the requests that came after the outcome of their case was reported. It is safe for use by many goroutines.
type late struct {
	mu       sync.Mutex
	requests int
	first    trace.Case // in which there was one
	path     string     // of that request
}

// note returns what notes a request of a case. It is called when the case has ended.
func (l *late) note(c trace.Case, e *taskEnding) func(path string) {
	return func(path string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if e.How != trace.Reported {
			return // the case was ended by us, and the loop may not know it yet
		}
		if l.requests++; l.requests == 1 {
			l.first, l.path = c, path
		}
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
