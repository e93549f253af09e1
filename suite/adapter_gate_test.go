package suite

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestGateLetsTheLostInFirst demands that one who has to be alone is, and comes before those who need not be.
func TestGateLetsTheLostInFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		var order []string
		var inside atomic.Int32
		pass := func(name string, alone bool) {
			g.enter(alone)
			if now := inside.Add(1); alone && now != 1 {
				t.Errorf("%s is one of %d", name, now)
			}
			order = append(order, name)
			inside.Add(-1)
			g.leave()
		}
		g.enter(false)
		g.enter(false) // many at a time
		go pass("first lost", true)
		synctest.Wait()
		go pass("second lost", true)
		synctest.Wait()
		go pass("other", false)
		synctest.Wait()
		if len(order) != 0 {
			t.Errorf("%v went in beside others", order)
		}
		g.leave()
		g.leave()
		synctest.Wait()
		if len(order) != 3 || order[2] != "other" {
			t.Errorf("the order is %v", order)
		}
	})
}
