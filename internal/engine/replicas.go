package engine

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/controlapi"
	"github.com/loopproof/loopproof/internal/engine/replicas"
)

// follower reads the log of a store and does here what other servers did.
type follower struct {
	store  replicas.Store
	server string // by which it knows its own updates again
	failed func(error)
	done   chan struct{}
	told   atomic.Int64 // how many updates

	mu    sync.Mutex
	place string
	seen  map[string]*seenUpdates // by the servers
}

// seenUpdates are the updates of a server that were applied. One that its server was not sure to
// have told comes twice.
type seenUpdates struct {
	last    int64
	numbers map[int64]bool
}

// mostSeen is of how many of the last updates of a server it is known whether they were applied.
const mostSeen = 20_000

// first reports whether an update comes for the first time.
func (s *seenUpdates) first(number int64) bool {
	if number <= s.last-mostSeen || s.numbers[number] {
		return false
	}
	s.numbers[number] = true
	if s.last = max(s.last, number); len(s.numbers) > 2*mostSeen {
		maps.DeleteFunc(s.numbers, func(number int64, _ bool) bool { return number <= s.last-mostSeen })
	}
	return true
}

// update is what a server tells the others. One of the fields besides Server and Number is set.
type update struct {
	Server string             `json:"server"`
	Number int64              `json:"number,omitempty"` // among the updates of the server, from 1
	Entry  *sharedEntry       `json:"entry,omitempty"`
	Kept   *sharedHistory     `json:"kept,omitempty"`
	Begin  *controlapi.Wanted `json:"begin,omitempty"`
	End    string             `json:"end,omitempty"`
	Reset  string             `json:"reset,omitempty"`
}

// follow begins to follow a store, if there is one.
func (p *Provider) follow(link *replicas.Link) {
	c := p.config
	if c.Store == nil {
		return
	}
	id := make([]byte, 8)
	rand.Read(id) // never fails
	p.others = &follower{store: c.Store, server: hex.EncodeToString(id), failed: c.StoreFailed, done: make(chan struct{}), seen: map[string]*seenUpdates{}}
	go func() {
		defer close(p.others.done)
		for p.ctx.Err() == nil {
			p.others.mu.Lock()
			place := p.others.place
			p.others.mu.Unlock()
			news, _, err := c.Store.Read(p.ctx, place, true)
			switch {
			case err != nil && p.ctx.Err() == nil:
				c.StoreFailed(fmt.Errorf("what other servers did cannot be read: %w", err))
				c.Clock.Sleep(p.ctx, time.Second)
				if err := link.Retry(p.ctx); err != nil {
					c.StoreFailed(err)
				}
			case len(news) > 0:
				p.catchUp()
			}
		}
	}()
}

// catchUp applies what other servers did so far. Anyone who looks at the journal, or asks for a run
// that is not known, has it done first.
func (p *Provider) catchUp() {
	f := p.others
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		news, next, err := f.store.Read(p.ctx, f.place, false)
		if err != nil {
			if p.ctx.Err() == nil {
				f.failed(fmt.Errorf("what other servers did cannot be read: %w", err))
			}
			return
		}
		if len(news) == 0 {
			return
		}
		f.place = next
		for _, data := range news {
			p.apply(data)
		}
	}
}

// apply does what another server did.
func (p *Provider) apply(data []byte) {
	var r update
	if err := json.Unmarshal(data, &r); err != nil || r.Server == p.others.server {
		return // our own, or of a version that we do not know
	}
	if r.Number > 0 && !p.others.isFirst(r) {
		return
	}
	switch {
	case r.Entry != nil:
		r.Entry.add(p)
	case r.Kept != nil:
		r.Kept.add(p)
	case r.Begin != nil:
		controlView{p}.beginRun(*r.Begin)
	case r.End != "":
		controlView{p}.forgetRun(r.End)
	case r.Reset != "":
		controlView{p}.resetRun(r.Reset)
	}
}

// isFirst reports whether an update comes for the first time.
func (f *follower) isFirst(r update) bool {
	seen := f.seen[r.Server]
	if seen == nil {
		seen = &seenUpdates{numbers: map[int64]bool{}}
		f.seen[r.Server] = seen
	}
	return seen.first(r.Number)
}

// tellOthers tells the other servers what was done here.
func (p *Provider) tellOthers(r update) {
	if p.others == nil {
		return
	}
	r.Server, r.Number = p.others.server, p.others.told.Add(1)
	data, err := json.Marshal(r)
	if err == nil {
		err = p.others.store.Append(data)
	}
	if err != nil {
		p.others.failed(fmt.Errorf("the other servers cannot be informed: %w", err))
	}
}

// forgetAttempts forgets, for all servers, how often requests of a run failed.
func (p *Provider) forgetAttempts(run string) {
	if p.others == nil {
		return
	}
	if err := p.others.store.Forget(run); err != nil {
		p.others.failed(fmt.Errorf("the attempts of a run cannot be forgotten: %w", err))
	}
}

// isShared reports whether a path shows what other servers did, too.
func isShared(path string) bool {
	return strings.HasPrefix(path, "/loopproof") && path != "/loopproof/healthz"
}
