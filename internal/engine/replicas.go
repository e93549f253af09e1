package engine

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/controlapi"
)

// follower reads the log of a store and does here what other servers did.
type follower struct {
	store  Store
	server string // by which it knows its own updates again
	failed func(error)
	done   chan struct{}

	mu    sync.Mutex
	place string
}

// update is what a server tells the others. One of the fields besides Server is set.
type update struct {
	Server string             `json:"server"`
	Entry  *sharedEntry       `json:"entry,omitempty"`
	Kept   *sharedHistory     `json:"kept,omitempty"`
	Begin  *controlapi.Wanted `json:"begin,omitempty"`
	End    string             `json:"end,omitempty"`
	Reset  string             `json:"reset,omitempty"`
}

// follow begins to follow a store, if there is one.
func (p *Provider) follow() {
	c := p.config
	if c.Store == nil {
		return
	}
	id := make([]byte, 8)
	rand.Read(id) // never fails
	p.others = &follower{store: c.Store, server: hex.EncodeToString(id), failed: c.StoreFailed, done: make(chan struct{})}
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
			case len(news) > 0:
				p.catchUp()
			}
		}
	}()
}

// catchUp applies what other servers did so far. Anyone who looks at the journal, or asks for a run that is not known, has it
// done first.
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

// tellOthers tells the other servers what was done here.
func (p *Provider) tellOthers(r update) {
	if p.others == nil {
		return
	}
	r.Server = p.others.server
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
