package suite

import "sync"

// gate lets in tasks: many at a time, or one alone. Those who have to be alone go first, so that what was lost is known
// before there is more to lose.
type gate struct {
	mu      sync.Mutex
	changed *sync.Cond
	inside  int
	alone   bool // the one inside has to be alone
	waiting int  // for being alone
}

func newGate() *gate {
	g := &gate{}
	g.changed = sync.NewCond(&g.mu)
	return g
}

func (g *gate) enter(alone bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if alone {
		g.waiting++
		for g.inside > 0 {
			g.changed.Wait()
		}
		g.waiting--
	} else {
		for g.alone || g.waiting > 0 {
			g.changed.Wait()
		}
	}
	g.inside++
	g.alone = alone
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	g.alone = false
	g.changed.Broadcast()
}
