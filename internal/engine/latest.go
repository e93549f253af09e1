package engine

import (
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// latest has the latest requests of the conversations that go on now. A loop sends its whole
// conversation again and again: of the next request of one only what is new is read.
type latest struct {
	mu  sync.Mutex
	all []latestRequest // the latest last; it is replaced, and not changed
}

type latestRequest struct {
	run string
	*wire.Request
}

// So many are kept, and so many bytes of their bodies: what is read takes several times their memory.
const (
	mostLatest      = 32
	mostLatestBytes = 2 << 20
)

// before returns the request with which a body of a run has most in common, or nil.
func (l *latest) before(run string, d *wire.Dialect, body []byte) (before *wire.Request) {
	l.mu.Lock()
	all := l.all
	l.mu.Unlock()
	most := 0
	for _, r := range slices.Backward(all) {
		if r.run != run || r.Dialect != d || most >= len(r.Body.Raw) {
			continue
		}
		if same := wire.CommonPrefix(r.Body.Raw, body); same > most {
			before, most = r.Request, same
		}
	}
	return before
}

// add adds a request, in place of the one before it if it goes on from there.
func (l *latest) add(run string, req, before *wire.Request) {
	if !req.Continuable() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	all, size := []latestRequest{{run, req}}, len(req.Body.Raw)
	for _, r := range slices.Backward(l.all) {
		if r.Request == before && goesOn(req, before) {
			continue
		}
		if size += len(r.Body.Raw); size > mostLatestBytes || len(all) == mostLatest {
			break
		}
		all = append(all, r)
	}
	slices.Reverse(all)
	l.all = all
}

// forget forgets the requests of a run that has ended.
func (l *latest) forget(run string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = slices.DeleteFunc(slices.Clone(l.all), func(r latestRequest) bool { return r.run == run })
}

// goesOn reports whether a request has all messages of the one before: their nodes are the same then.
// Otherwise the two are of conversations that begin alike.
func goesOn(req, before *wire.Request) bool {
	had, has := before.MessageList().Items, req.MessageList().Items
	return len(had) <= len(has) && has[len(had)-1] == had[len(had)-1]
}
