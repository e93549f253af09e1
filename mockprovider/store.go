package mockprovider

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/console"
	"github.com/loopproof/loopproof/profiles"
)

// Store keeps what no request carries in itself, so that servers which share one are asked, and answer, as if they were
// one: how often a request failed, the journal and what follows from it, and the open runs. It has to be safe for use by
// many goroutines.
type Store interface {
	// Count counts one more under a key of a run, and returns how many there are by now. Forget forgets those of a run.
	Count(run, key string) (int, error)
	Forget(run string) error

	// Append adds a record to the one log that there is, and Read returns those behind a place in it, oldest first, with
	// the place behind them. The place "" is the beginning. With wait it waits a little for the first one.
	Append(record []byte) error
	Read(ctx context.Context, after string, wait bool) (records [][]byte, next string, err error)
}

// follower reads the log of a store and does here what other servers did.
type follower struct {
	store  Store
	server string // by which it knows its own records again
	failed func(error)
	done   chan struct{}

	mu    sync.Mutex
	place string
}

// record is what a server tells the others: one of the fields is set.
type record struct {
	Server string          `json:"server"`
	Entry  *sharedEntry    `json:"entry,omitempty"`
	Begin  *console.Wanted `json:"begin,omitempty"`
	End    string          `json:"end,omitempty"`
	Reset  string          `json:"reset,omitempty"`
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

// catchUp does what other servers did by now. Whoever looks at the journal, or asks for a run that is not known, has it
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
	var r record
	if err := json.Unmarshal(data, &r); err != nil || r.Server == p.others.server {
		return // our own, or of a version that we do not know
	}
	switch {
	case r.Entry != nil:
		r.Entry.add(p)
	case r.Begin != nil:
		shown{p}.beginRun(*r.Begin)
	case r.End != "":
		shown{p}.forgetRun(r.End)
	case r.Reset != "":
		shown{p}.resetRun(r.Reset)
	}
}

// tellOthers tells the other servers what was done here.
func (p *Provider) tellOthers(r record) {
	if p.others == nil {
		return
	}
	r.Server = p.others.server
	data, err := json.Marshal(r)
	if err == nil {
		err = p.others.store.Append(data)
	}
	if err != nil {
		p.others.failed(fmt.Errorf("other servers cannot be told: %w", err))
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

// sharedEntry is an entry of a journal as it is told to other servers: the entry, and in words that they understand what it
// points at.
type sharedEntry struct {
	Entry   Entry
	Profile string
	Turn    *int   // of the script
	Refused bool   // the refusal was really given
	Body    []byte // of the request
}

func shareEntry(e Entry) *sharedEntry {
	x := e.Exchange
	s := &sharedEntry{Entry: e, Profile: e.Profile.Name, Refused: x.Refusal != nil && x.Refusal.Given, Body: e.Body()}
	if x.Turn != nil && x.Turn.Number >= 0 {
		s.Turn = &x.Turn.Number
	}
	return s
}

// add writes the entry into the journal of its run, if that is known here.
func (s *sharedEntry) add(p *Provider) {
	e := s.Entry
	run, known := p.runByID(e.Run)
	if !known {
		return
	}
	t := run.in(nil)
	profile, err := profiles.Find(shown{p}.knownProfiles(), s.Profile)
	if err != nil {
		profile = t.settings().profile
	}
	t, e.Profile, e.Over = run.in(profile.Speaks), profile, true
	if e.Exchange.Refusal != nil {
		e.Exchange.Refusal.Given = s.Refused
	}
	if e.Scenario != "" {
		e.Script = t.script(e.Scenario)
	}
	if e.Script != nil && s.Turn != nil && *s.Turn < len(e.Script.Turns) {
		e.Exchange.Turn = e.Script.Turns[*s.Turn]
	}
	if request, err := e.Profile.Speaks.Read(s.Body); err == nil && !e.Stray {
		e.Exchange.Request = request
	}
	t.settings().journal.Add(e.WithBody(s.Body).Judged(e.Findings))
}
