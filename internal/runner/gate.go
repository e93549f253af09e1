package runner

import (
	"slices"
	"sync"
)

// gate lets cases be played: so many at the same time, or one alone. Those that have to be alone go
// first; otherwise they go in the order in which they came. It is safe for use by many goroutines.
type gate struct {
	mu     sync.Mutex
	places places
	inside []*stay
	queues [alone + 1][]*stay // those who wait to go in, by their concurrency
}

// places are how many cases are played at the same time.
type places struct {
	busy    int
	waiting int // for cases that mostly wait, besides the others; 0: they take the places of the others
}

// concurrency is how a case is played beside others.
type concurrency int

const (
	concurrent concurrency = iota // beside others
	waiting                       // beside others, and mostly waiting
	alone
)

// stay is the time that a case spends inside of a gate.
type stay struct {
	concurrency  concurrency
	entered      chan struct{} // closed when it goes in
	besideOthers bool          // another case was inside at some moment
}

func newGate(p places) *gate {
	p.busy = max(1, p.busy)
	return &gate{places: p}
}

// enter waits for a place. Alone, it waits until all others have left, and keeps them out.
func (g *gate) enter(m concurrency) *stay {
	s := &stay{concurrency: m, entered: make(chan struct{})}
	g.mu.Lock()
	if m == waiting && g.places.waiting == 0 {
		s.concurrency = concurrent
	}
	g.queues[s.concurrency] = append(g.queues[s.concurrency], s)
	g.admit()
	g.mu.Unlock()
	<-s.entered
	return s
}

// admit lets those in for whom there is a place. It wakes nobody else, since hundreds may wait.
func (g *gate) admit() {
	if len(g.queues[alone]) > 0 {
		if len(g.inside) == 0 {
			g.admitFirst(alone)
		}
		return
	}
	if len(g.inside) > 0 && g.inside[0].concurrency == alone {
		return
	}
	g.fill(concurrent, g.places.busy)
	g.fill(waiting, g.places.waiting)
}

// fill lets those of a concurrency in, until there are so many.
func (g *gate) fill(m concurrency, most int) {
	for free := most - g.count(m); free > 0 && len(g.queues[m]) > 0; free-- {
		g.admitFirst(m)
	}
}

func (g *gate) admitFirst(m concurrency) {
	s := g.queues[m][0]
	g.queues[m] = g.queues[m][1:]
	for _, other := range g.inside {
		other.besideOthers, s.besideOthers = true, true
	}
	g.inside = append(g.inside, s)
	close(s.entered)
}

// count returns how many of a concurrency are inside.
func (g *gate) count(m concurrency) (n int) {
	for _, s := range g.inside {
		if s.concurrency == m {
			n++
		}
	}
	return n
}

func (g *gate) leave(s *stay) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside = slices.DeleteFunc(g.inside, func(other *stay) bool { return other == s })
	g.admit()
}

// had reports whether another case was inside during a stay.
func (g *gate) had(s *stay) (besideOthers bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return s.besideOthers
}

// narrow halves the number of places, since the loop or the machine cannot handle so many.
func (g *gate) narrow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.places.busy = max(1, g.places.busy/2)
	if g.places.waiting > 0 {
		g.places.waiting = max(1, g.places.waiting/2)
	}
}
