package engine

import (
	"fmt"
	"sync"
)

// endedRuns stores the runs that ended last, so that a loop that continues in one of them gets an
// error that says so. It is safe for use by many goroutines.
type endedRuns struct {
	mu     sync.Mutex
	order  []string // the oldest first
	onLate map[string]func(path string)
}

// maxEndedRuns is how many ended runs are remembered.
const maxEndedRuns = 4096

func (e *endedRuns) add(id string, onLate func(path string)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.onLate == nil {
		e.onLate = map[string]func(string){}
	}
	if _, known := e.onLate[id]; !known {
		e.order = append(e.order, id)
	}
	e.onLate[id] = onLate
	if len(e.order) > maxEndedRuns {
		delete(e.onLate, e.order[0])
		e.order = e.order[1:]
	}
}

// noRun returns the error for a request to a run that is not here, and notes one that comes after
// the end of its run.
func (e *endedRuns) noRun(id, path string) error {
	e.mu.Lock()
	onLate, ended := e.onLate[id]
	e.mu.Unlock()
	if !ended {
		return fmt.Errorf("there is no run %q here; it may have ended", id)
	}
	if onLate != nil {
		onLate(path)
	}
	return fmt.Errorf("the run %q has ended: its outcome was reported, or its time was over, so nothing may be asked in it any more", id)
}
