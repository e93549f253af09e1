package journal

import (
	"sync"
	"sync/atomic"
)

// Budget is how many bytes journals may remember together: of requests, of answers, and of the
// histories that clients continue without sending them again. Where there are too many, journals
// forget requests before histories are lost.
type Budget struct {
	limit int64
	held  atomic.Int64

	mu   sync.Mutex
	kept int64 // of what is held: by histories, in bytes
}

// Histories may take as much as the budget, but not more than mostKeptBytes, and leastKeptBytes in
// any case: a conversation would break off.
const (
	mostKeptBytes  = 64 << 20
	leastKeptBytes = 8 << 20
)

// NewBudget returns a budget of so many bytes; 0 is 256 MB.
func NewBudget(bytes int64) *Budget {
	if bytes == 0 {
		bytes = 256 << 20
	}
	return &Budget{limit: bytes}
}

func (b *Budget) spent() bool { return b.held.Load() > b.limit }
