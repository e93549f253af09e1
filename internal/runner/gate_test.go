package runner

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestGateLetsThoseGoFirstWhoHaveToBeAlone demands that one who has to be alone is, and comes
// before those who need not be.
func TestGateLetsThoseGoFirstWhoHaveToBeAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(places{busy: 2})
		var order []string
		var inside atomic.Int32
		pass := func(name string, m concurrency) {
			s := g.enter(m)
			if now := inside.Add(1); m == alone && now != 1 {
				t.Errorf("%s is one of %d", name, now)
			}
			order = append(order, name)
			inside.Add(-1)
			g.leave(s)
			if m == alone && g.had(s) {
				t.Errorf("%s had company", name)
			}
		}
		first, second := g.enter(concurrent), g.enter(concurrent)
		go pass("first alone", alone)
		synctest.Wait()
		go pass("second alone", alone)
		synctest.Wait()
		go pass("other", concurrent)
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
		g := newGate(places{busy: 2})
		first, second := g.enter(concurrent), g.enter(concurrent)
		var third atomic.Pointer[stay]
		go func() { third.Store(g.enter(concurrent)) }()
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
		last := g.enter(concurrent)
		var next atomic.Pointer[stay]
		go func() { next.Store(g.enter(concurrent)) }()
		synctest.Wait()
		if next.Load() != nil {
			t.Error("the gate was not narrowed")
		}
		g.leave(last)
		synctest.Wait()
	})
}

// TestGateHasPlacesForThoseWhoWait: cases that mostly wait take no place of the others, unless they
// have none of their own.
func TestGateHasPlacesForThoseWhoWait(t *testing.T) {
	for _, c := range []struct {
		places places
		want   int32 // of two busy cases and three that wait
	}{
		{places{busy: 1, waiting: 2}, 3},
		{places{busy: 1, waiting: 0}, 1},
		{places{busy: 4, waiting: 0}, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newGate(c.places)
			var inside atomic.Int32
			leave := make(chan struct{})
			for _, m := range []concurrency{waiting, concurrent, waiting, concurrent, waiting} {
				go func() {
					s := g.enter(m)
					inside.Add(1)
					<-leave
					g.leave(s)
				}()
			}
			synctest.Wait()
			if got := inside.Load(); got != c.want {
				t.Errorf("with %+v %d are inside, want %d", c.places, got, c.want)
			}
			close(leave)
			synctest.Wait()
			if got := inside.Load(); got != 5 {
				t.Errorf("with %+v %d went in, want all", c.places, got)
			}
		})
	}
}
