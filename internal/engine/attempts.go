package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/internal/engine/replicas"
)

// attempts counts how often the same was asked of the same place in a script, which is all that has
// to be remembered outside of runs. The zero value is ready for use.
type attempts struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]int

	store  replicas.Store // nil: attempts are counted here alone
	run    string
	failed func(error)
}

// count notes that a conversation was brought to a place, and returns how often that has happened
// so far.
func (a *attempts) count(conversation conversationKey, scenario string, place int) int {
	h := sha256.New()
	h.Write(conversation[:])
	fmt.Fprint(h, place, scenario)
	key := [sha256.Size]byte(h.Sum(nil))
	if a.store != nil {
		n, err := a.store.Count(a.run, hex.EncodeToString(key[:]))
		if err == nil {
			a.note(key, n) // from which it goes on where the store cannot be reached
			return n
		}
		a.failed(fmt.Errorf("attempts are counted here alone: %w", err))
	}
	return a.note(key, 0)
}

// note notes a number of attempts, or one more for 0, and returns it.
func (a *attempts) note(key [sha256.Size]byte, n int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) >= replicas.MaxCounts {
		a.known = map[[sha256.Size]byte]int{}
	}
	if n == 0 {
		n = a.known[key] + 1
	}
	a.known[key] = n
	return n
}

// forget forgets all requests.
func (a *attempts) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known = nil
}
