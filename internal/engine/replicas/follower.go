package replicas

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Origin says of an update which server told it. Updates embed it.
type Origin struct {
	Server string `json:"server"`
	Number int64  `json:"number,omitempty"` // among the updates of the server, from 1
}

// Follower reads the log of a store, and has applied here what other servers did.
type Follower struct {
	ctx    context.Context
	link   *Link
	server string // by which it knows its own updates again
	apply  func(update []byte)
	failed func(error)
	done   chan struct{}
	told   atomic.Int64 // how many updates

	mu    sync.Mutex
	place string
	seen  map[string]*seenUpdates // by the servers
}

// NewFollower returns a follower of a store until the context ends. Each update of another server
// is given to apply, once, one after the other. failed is called when the store cannot be reached.
func NewFollower(ctx context.Context, link *Link, apply func(update []byte), failed func(error)) *Follower {
	id := make([]byte, 8)
	rand.Read(id) // never fails
	return &Follower{
		ctx: ctx, link: link, server: hex.EncodeToString(id), apply: apply, failed: failed,
		done: make(chan struct{}), seen: map[string]*seenUpdates{},
	}
}

// Follow applies what other servers do, as soon as they do it, until the context ends. Where the
// store cannot be reached, it waits for a second by sleep.
func (f *Follower) Follow(sleep func(context.Context, time.Duration) bool) {
	defer close(f.done)
	for f.ctx.Err() == nil {
		f.mu.Lock()
		place := f.place
		f.mu.Unlock()
		news, _, err := f.link.Read(f.ctx, place, true)
		switch {
		case err != nil && f.ctx.Err() == nil:
			f.failed(fmt.Errorf("what other servers did cannot be read: %w", err))
			sleep(f.ctx, time.Second)
			if err := f.link.Retry(f.ctx); err != nil {
				f.failed(err)
			}
		case len(news) > 0:
			f.CatchUp()
		}
	}
}

// Done is closed when [Follower.Follow] has returned.
func (f *Follower) Done() <-chan struct{} { return f.done }

// CatchUp applies what other servers did so far.
func (f *Follower) CatchUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		news, next, err := f.link.Read(f.ctx, f.place, false)
		if err != nil {
			if f.ctx.Err() == nil {
				f.failed(fmt.Errorf("what other servers did cannot be read: %w", err))
			}
			return
		}
		if len(news) == 0 {
			return
		}
		f.place = next
		for _, update := range news {
			if f.isNew(update) {
				f.apply(update)
			}
		}
	}
}

// isNew reports whether an update is another server's, and comes for the first time.
func (f *Follower) isNew(update []byte) bool {
	var from Origin
	if err := json.Unmarshal(update, &from); err != nil || from.Server == f.server {
		return false
	}
	if from.Number == 0 {
		return true
	}
	seen := f.seen[from.Server]
	if seen == nil {
		seen = &seenUpdates{numbers: map[int64]bool{}}
		f.seen[from.Server] = seen
	}
	return seen.first(from.Number)
}

// Next returns the origin of the next update of this server.
func (f *Follower) Next() Origin { return Origin{f.server, f.told.Add(1)} }

// Tell tells the other servers an update, whose origin is that of [Follower.Next].
func (f *Follower) Tell(update any) {
	data, err := json.Marshal(update)
	if err == nil {
		err = f.link.Append(data)
	}
	if err != nil {
		f.failed(fmt.Errorf("the other servers cannot be informed: %w", err))
	}
}

// Forget forgets, for all servers, how often requests of a run failed.
func (f *Follower) Forget(run string) {
	if err := f.link.Forget(run); err != nil {
		f.failed(fmt.Errorf("the attempts of a run cannot be forgotten: %w", err))
	}
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
