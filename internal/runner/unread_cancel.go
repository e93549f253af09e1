package runner

import (
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
)

// unreadCancels are the cases in which the loop was cancelled and did not take that in time. It is
// safe for use by many goroutines.
type unreadCancels struct {
	mu    sync.Mutex
	cases int
	first trace.Case
}

func (u *unreadCancels) note(c trace.Case) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.cases++; u.cases == 1 {
		u.first = c
	}
}

// notes says in a sentence in which cases the loop was not told, or nothing.
func (u *unreadCancels) notes() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.cases == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the adapter did not read the cancel line of %s in time, first of %s: "+
		"an adapter reads its standard input also while it carries out tasks", textlayout.Count(u.cases, "case"), u.first.ID())}
}
