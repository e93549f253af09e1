package mockprovider

import (
	"sync"

	"github.com/loopproof/loopproof/rules"
)

// Journal remembers what was asked outside of runs, and what went astray, up to a number of exchanges. It is safe for use by many goroutines.
type Journal struct {
	mu      sync.Mutex
	entries []Entry // a ring
	first   int     // index of the oldest
	count   int     // how many there ever were
	size    int
	watch   func(Entry)
}

// Entry is one exchange and what is wrong with it.
type Entry struct {
	Number   int  // from 1
	Stray    bool // the request reached no conversation: its path, method or run is none that is known
	Scenario string
	Exchange rules.Exchange
	Findings []rules.Finding
}

func newJournal(size int) *Journal { return &Journal{size: size} }

// Entries returns what is remembered, the oldest first.
func (j *Journal) Entries() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append(append([]Entry(nil), j.entries[j.first:]...), j.entries[:j.first]...)
}

// Count returns how many requests there ever were, the forgotten ones included.
func (j *Journal) Count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.count
}

// Watch has every entry from now on handed to f, one at a time. Requests wait for f, so it has to be quick.
func (j *Journal) Watch(f func(Entry)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.watch = f
}

// Reset forgets everything.
func (j *Journal) Reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries, j.first, j.count = nil, 0, 0
}

func (j *Journal) add(e Entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.count++
	e.Number = j.count
	if j.watch != nil {
		j.watch(e)
	}
	if len(j.entries) < j.size {
		j.entries = append(j.entries, e)
		return
	}
	j.entries[j.first] = e
	j.first = (j.first + 1) % j.size
}
