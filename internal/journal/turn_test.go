package journal_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/wire"
)

// A turn counts once, however many histories and entries go on from it, and as long as one of them
// does.
func TestTurnsCountOnce(t *testing.T) {
	none := func() *wire.History { return nil }
	budget := journal.NewBudget(1 << 30)
	first := journal.NewTurn(nil, 1000, none)
	one, other := journal.NewTurn(first, 100, none), journal.NewTurn(first, 100, none)
	empty := func(when string) {
		t.Helper()
		if held := budget.Held(); held != 0 {
			t.Errorf("%s: %d bytes are held", when, held)
		}
	}
	budget.Keep(one)
	alone := budget.Held()
	budget.Keep(other)
	if more := budget.Held() - alone; more >= alone {
		t.Errorf("a second history from the same turn holds %d bytes, and the first one %d", more, alone)
	}
	j := journal.New(journal.Options{Budget: budget}, &journal.Changes{})
	e := &journal.Entry{Run: "r"}
	e.Continue(one)
	j.Add(e)
	both := budget.Held()
	budget.Drop(one)
	budget.Drop(other)
	if held := budget.Held(); held >= both || held < alone {
		t.Errorf("an entry that continues a history holds %d bytes, and the history %d", held, alone)
	}
	j.Reset()
	empty("after a reset")
	e = &journal.Entry{Run: "r"}
	e.Continue(one)
	j.Add(e)
	j.Release()
	empty("after the end")
}

// Histories may take as much as the journals, but at least what a long conversation takes.
func TestHistoriesAreBounded(t *testing.T) {
	for _, c := range []struct {
		limit int64
		most  int
	}{{1, 8 << 20}, {20 << 20, 20 << 20}, {0, 64 << 20}} {
		budget, turn := journal.NewBudget(c.limit), (*journal.Turn)(nil)
		count := 0
		for ; !budget.Full() && count < 1000; count++ {
			turn = journal.NewTurn(turn, 1<<20, nil)
			budget.Keep(turn)
		}
		if want := c.most >> 20; count != want {
			t.Errorf("of %d bytes, %d turns of a megabyte are kept, want %d", c.limit, count, want)
		}
	}
}
