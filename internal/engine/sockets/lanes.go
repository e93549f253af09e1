package sockets

import "sync"

// lanes are the requests of a connection that are answered or wait for it: those of one lane one
// after the other, in the order in which they came, and those of several lanes at the same time.
type lanes struct {
	most  int             // answers at a time; more wait
	known map[string]bool // the names of lanes, which are never forgotten

	mu      sync.Mutex
	free    sync.Cond
	busy    int
	waiting map[string][]func() // of the lanes in which something is answered
	serving sync.WaitGroup
}

// named reports whether a connection may have a lane of a name: it has those that it had, the one
// without a name, and others up to a number.
func (l *lanes) named(name string, most int) bool {
	if name == "" || l.known[name] {
		return true
	}
	if len(l.known) == most {
		return false
	}
	if l.known == nil {
		l.known = map[string]bool{}
	}
	l.known[name] = true
	return true
}

// add lets a request of a lane be answered behind those that came before.
func (l *lanes) add(name string, answer func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting, l.free.L = map[string][]func(){}, &l.mu
	}
	_, serves := l.waiting[name]
	l.waiting[name] = append(l.waiting[name], answer)
	if !serves {
		l.serving.Go(func() { l.serve(name) })
	}
}

// serve answers the requests of a lane until none waits.
func (l *lanes) serve(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting[name]) > 0 {
		answer := l.waiting[name][0]
		l.waiting[name] = l.waiting[name][1:]
		for l.most > 0 && l.busy == l.most {
			l.free.Wait()
		}
		l.busy++
		l.mu.Unlock()
		answer()
		l.mu.Lock()
		l.busy--
		l.free.Signal()
	}
	delete(l.waiting, name)
}

// wait returns when nothing is answered and nothing waits.
func (l *lanes) wait() { l.serving.Wait() }
