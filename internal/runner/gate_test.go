package runner

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestGateLetsThoseGoFirstWhoHaveToBeAlone demands that one who has to be alone is, and comes before those who need not be.
func TestGateLetsThoseGoFirstWhoHaveToBeAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		var order []string
		var inside atomic.Int32
		pass := func(name string, alone bool) {
			s := g.enter(alone)
			if now := inside.Add(1); alone && now != 1 {
				t.Errorf("%s is one of %d", name, now)
			}
			order = append(order, name)
			inside.Add(-1)
			g.leave(s)
			if alone && g.had(s) {
				t.Errorf("%s had company", name)
			}
		}
		first, second := g.enter(false), g.enter(false)
		go pass("first alone", true)
		synctest.Wait()
		go pass("second alone", true)
		synctest.Wait()
		go pass("other", false)
		synctest.Wait()
		if len(order) != 0 {
			t.Errorf("%v went in alongside others", order)
		}
		g.leave(first)
		g.leave(second)
		synctest.Wait()
		if len(order) != 3 || order[0] != "first alone" || order[1] != "second alone" {
			t.Errorf("the order is %v", order)
		}
		if !g.had(first) || !g.had(second) {
			t.Error("they were there at the same time, and had no company")
		}
	})
}

// TestGateHasPlaces: no more go in than there are places, and fewer once it was narrowed.
func TestGateHasPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		first, second := g.enter(false), g.enter(false)
		var third atomic.Pointer[stay]
		go func() { third.Store(g.enter(false)) }()
		synctest.Wait()
		if third.Load() != nil {
			t.Fatal("there was a third place")
		}
		g.leave(first)
		synctest.Wait()
		if third.Load() == nil {
			t.Fatal("a place that became free was not taken")
		}
		g.narrow()
		g.narrow() // one is always left
		g.leave(second)
		g.leave(third.Load())
		last := g.enter(false)
		var next atomic.Pointer[stay]
		go func() { next.Store(g.enter(false)) }()
		synctest.Wait()
		if next.Load() != nil {
			t.Error("the gate was not narrowed")
		}
		g.leave(last)
		synctest.Wait()
	})
}
