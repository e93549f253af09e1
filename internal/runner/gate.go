package runner

import (
	"slices"
	"sync"
)

// gate lets cases be played: so many at the same time, or one alone. Those that have to be alone go first, in the order
// in which they came. It is safe for use by many goroutines.
type gate struct {
	mu      sync.Mutex
	changed *sync.Cond
	places  int
	inside  []*stay
	alone   []*stay // waiting to be the only one
}

// stay is the time that a case spends inside of a gate.
type stay struct {
	alone   bool
	company bool // another case was inside at some moment
}

func newGate(places int) *gate {
	g := &gate{places: max(1, places)}
	g.changed = sync.NewCond(&g.mu)
	return g
}

// enter waits for a place. Alone, it waits until all others have left, and keeps them out.
func (g *gate) enter(alone bool) *stay {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := &stay{alone: alone}
	if alone {
		g.alone = append(g.alone, s)
	}
	for !g.mayEnter(s) {
		g.changed.Wait()
	}
	if alone {
		g.alone = g.alone[1:]
	}
	for _, other := range g.inside {
		other.company, s.company = true, true
	}
	g.inside = append(g.inside, s)
	return s
}

func (g *gate) mayEnter(s *stay) bool {
	if s.alone {
		return len(g.inside) == 0 && g.alone[0] == s
	}
	return len(g.alone) == 0 && len(g.inside) < g.places && !slices.ContainsFunc(g.inside, func(other *stay) bool { return other.alone })
}

func (g *gate) leave(s *stay) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside = slices.DeleteFunc(g.inside, func(other *stay) bool { return other == s })
	g.changed.Broadcast()
}

// had reports whether another case was inside during a stay.
func (g *gate) had(s *stay) (company bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return s.company
}

// narrow halves the number of places, since the loop or the machine cannot handle so many.
func (g *gate) narrow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.places = max(1, g.places/2)
}
