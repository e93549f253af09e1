package guard

import "sync"

// Told calls f once for each text: what a page is told, its browser does not show, so that the log
// has to. It is for use by many goroutines. The zero value is ready.
type Told struct {
	mu    sync.Mutex
	known map[string]bool
}

// maxTold is how many texts are told: any client can make new ones.
const maxTold = 100

// Once calls f with a text, unless it did so before.
func (t *Told) Once(text string, f func(string)) {
	if f == nil {
		return
	}
	t.mu.Lock()
	known := t.known[text] || len(t.known) == maxTold
	if !known {
		if t.known == nil {
			t.known = map[string]bool{}
		}
		t.known[text] = true
	}
	t.mu.Unlock()
	if !known {
		f(text)
	}
}
