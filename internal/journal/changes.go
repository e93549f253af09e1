package journal

import (
	"sync"
	"sync/atomic"
)

// Changes tells anyone who waits that something has changed, and what. Its zero value is ready.
type Changes struct {
	observed atomic.Bool // someone waits or follows; without, a change costs no lock

	mu   sync.Mutex
	next chan struct{} // nil if nothing waits

	followers int // for whom changes are noted
	count     int // of changes that were noted
	latest    [remembered]Change
}

// remembered is how many changes are known at a time. A reader that is further behind reads
// everything again.
const remembered = 1024

// Change is an entry of a journal that is new, is not as it was, or went.
type Change struct {
	Journal *Journal
	Number  int // 0: the journal forgot everything, or its run ended
}

// Next returns a channel that is closed at the next change. Look at what you wait for only after
// you have called it, and no change is missed.
func (c *Changes) Next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = make(chan struct{})
		c.observed.Store(true)
	}
	return c.next
}

// Tell tells all who wait.
func (c *Changes) Tell() {
	if !c.observed.Load() {
		return // anyone who calls Next from now on sees the change
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next != nil {
		close(c.next)
		c.next = nil
		c.observed.Store(c.followers > 0)
	}
}

// note records a change, which is reported to waiters later.
func (c *Changes) note(j *Journal, number int) {
	if !c.observed.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.followers > 0 {
		c.latest[c.count%remembered] = Change{j, number}
		c.count++
	}
}

// follow records changes from now on, and returns how many there were; leave ends that. Without
// followers nothing is recorded, so that no journal outlives its run.
func (c *Changes) follow() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.followers++
	c.observed.Store(true)
	return c.count
}

func (c *Changes) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.followers--; c.followers == 0 {
		c.latest = [remembered]Change{}
		c.observed.Store(c.next != nil)
	}
}

// since returns the changes after so many, and how many there are so far. ok is false when some of
// them are forgotten.
func (c *Changes) since(seen int) (changed []Change, count int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count-seen > remembered {
		return nil, c.count, false
	}
	for i := seen; i < c.count; i++ {
		changed = append(changed, c.latest[i%remembered])
	}
	return changed, c.count, true
}
