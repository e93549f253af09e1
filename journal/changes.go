package journal

import "sync"

// Changes tells whoever waits that something has changed. Its zero value is ready.
type Changes struct {
	mu   sync.Mutex
	next chan struct{} // nil: nobody waits
}

// Next returns a channel that is closed at the next change. Look at what you wait for only after you have called it,
// and no change is missed.
func (c *Changes) Next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = make(chan struct{})
	}
	return c.next
}

// Tell tells all who wait.
func (c *Changes) Tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
}
