package journal

import "github.com/loopproof/loopproof/internal/wire"

// Turn is a turn of a conversation that the provider keeps, so that clients need not send it again. It refers to the turn before it:
// its own bytes are there once, however many histories and requests go on from it, and a budget counts them once.
type Turn struct {
	before  *Turn
	history func() *wire.History
	size    int64 // of its own bytes
	whole   int64 // of them and all before

	users [2]int // by their kinds: how many use it, of which later turns that are used are one each
}

// turnSize is about what a turn takes besides its bytes.
const turnSize = 500

// NewTurn returns a turn behind another one, which may be nil, that takes so many bytes. The history up to it is made by what is given,
// which returns nil where it cannot be made.
func NewTurn(before *Turn, bytes int, history func() *wire.History) *Turn {
	t := &Turn{before: before, history: history, size: int64(bytes) + turnSize}
	t.whole = t.size
	if before != nil {
		t.whole += before.whole
	}
	return t
}

// Before returns the turn before it, or nil.
func (t *Turn) Before() *Turn { return t.before }

// History returns the conversation up to the turn, and nil for nil.
func (t *Turn) History() *wire.History {
	if t == nil {
		return nil
	}
	return t.history()
}

// Resume returns the request that says in full what one means which continues the conversation behind the turn.
func (t *Turn) Resume(short *wire.Request) (*wire.Request, error) {
	whole, err := short.Dialect.KeptHistory.Resume(t.History(), short)
	if err != nil {
		return nil, err
	}
	whole.TakeHTTP(short)
	return whole, nil
}

// user is a kind of what uses turns.
type user int

const (
	byHistory user = iota // of clients that may go on
	byEntry               // of a journal
)

// Keep notes that a history ends with a turn, and Drop that it is kept no longer.
func (b *Budget) Keep(t *Turn) { b.use(t, byHistory) }

// Drop is for what [Budget.Keep] noted.
func (b *Budget) Drop(t *Turn) { b.leave(t, byHistory) }

// Full reports whether histories take more than they may.
func (b *Budget) Full() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept > min(max(b.limit, leastKeptBytes), mostKeptBytes)
}

func (b *Budget) use(t *Turn, by user) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; t != nil; t = t.before {
		if t.users[by]++; t.users[by] > 1 {
			return // those before it are used already
		}
		b.count(t, by, t.size)
	}
}

func (b *Budget) leave(t *Turn, by user) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; t != nil; t = t.before {
		if t.users[by]--; t.users[by] > 0 {
			return
		}
		b.count(t, by, -t.size)
	}
}

// count counts the bytes of a turn that has become used by a kind, or is no longer.
func (b *Budget) count(t *Turn, by user, bytes int64) {
	if by == byHistory {
		b.kept += bytes
	}
	if t.users[1-by] == 0 { // else they are counted already
		b.held.Add(bytes)
	}
}
