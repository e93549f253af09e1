package journal

import "sync/atomic"

// Budget is how many bytes of requests and answers journals may remember together.
type Budget struct {
	limit int64
	held  atomic.Int64
}

// NewBudget returns a budget of so many bytes; 0 is 256 MB.
func NewBudget(bytes int64) *Budget {
	if bytes == 0 {
		bytes = 256 << 20
	}
	return &Budget{limit: bytes}
}

func (b *Budget) spent() bool { return b.held.Load() > b.limit }
