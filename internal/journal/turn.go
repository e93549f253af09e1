package journal

import "github.com/loopproof/loopproof/internal/wire"

// Turn is a turn of a conversation that the provider keeps, so that clients need not send it again.
// It refers to the turn before it: its own bytes are there once, however many histories and
// requests go on from it, and a budget counts them once.
type Turn struct {
	shared
	before  *Turn
	history func() *wire.History
	whole   int64 // bytes, together with all before
}

// turnSize is about what a turn takes besides its bytes.
const turnSize = 500

// NewTurn returns a turn behind another one, which may be nil, that takes so many bytes. The
// history up to it is made by what is given, which returns nil where it cannot be made.
func NewTurn(before *Turn, bytes int, history func() *wire.History) *Turn {
	t := &Turn{before: before, history: history, shared: newShared(before.part(), int64(bytes)+turnSize)}
	t.whole = t.size
	if before != nil {
		t.whole += before.whole
	}
	return t
}

// part returns what a budget counts; nil for nil.
func (t *Turn) part() *shared {
	if t == nil {
		return nil
	}
	return &t.shared
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

// Resume returns the request that says in full what one means which continues the conversation
// behind the turn. before is that of [wire.KeptHistory.Resume].
func (t *Turn) Resume(short *wire.Request, before func(body []byte) *wire.Request) (*wire.Request, error) {
	return short.Dialect.KeptHistory.Resume(t.History(), short, before)
}
