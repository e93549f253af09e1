package engine

import (
	"context"
	"net/http"
	"sync"

	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/engine/sockets"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// serveSocket answers the requests that a client sends over one connection. Each is served as if it
// had come over HTTP and asked for a stream. The connection keeps histories of its own, whether they
// are stored or not.
func (p *Provider) serveSocket(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	if !sockets.Asked(r) {
		p.wrongMethod(w, r)
		return
	}
	ctx, stop := eitherOf(r.Context(), p.ctx)
	defer stop()
	kept := &keptByConnection{Keeper: histories.New(true, p.kept), latest: map[string]string{}}
	defer kept.Close()
	sockets.Serve(w, r.WithContext(ctx), sockets.Options{
		Socket: d.Endpoint.Socket, Frames: d.Frames(), MaxMessage: p.config.Limits.Body, Patience: patience,
		Answer: func(w http.ResponseWriter, r *http.Request, asked wire.SocketRequest) {
			r = r.WithContext(context.WithValue(r.Context(), laneKey{}, &lane{kept, asked.Stream}))
			if asked.Warms {
				p.warm(w, r, d)
			} else {
				p.serveTurn(w, r, d)
			}
		},
		Failed: kept.failed,
	})
}

// serveRealtime serves a conversation that a connection keeps. Each of its turns is served as if it
// had been asked over HTTP.
func (p *Provider) serveRealtime(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	if !sockets.Asked(r) {
		p.wrongMethod(w, r)
		return
	}
	ctx, stop := eitherOf(r.Context(), p.ctx)
	defer stop()
	sockets.Serve(w, r.WithContext(ctx), sockets.Options{
		Socket: d.Endpoint.Realtime, Frames: d.Frames(), MaxMessage: p.config.Limits.Body, Patience: patience,
		Answer: func(w http.ResponseWriter, r *http.Request, _ wire.SocketRequest) { p.serveTurn(w, r, d) },
		Failed: func(wire.SocketRequest) {},
	})
}

// keptByConnection are the histories that a connection keeps: of each lane the one with its latest
// answer.
type keptByConnection struct {
	*histories.Keeper

	mu     sync.Mutex
	latest map[string]string // the ids of these answers
}

// failed forgets the answer from which a request continued in vain, but not where that is in
// another lane, which may go on: https://developers.openai.com/api/docs/guides/websocket-mode
func (k *keptByConnection) failed(asked wire.SocketRequest) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.latest[asked.Stream] == asked.Follows {
		k.setLatest(asked.Stream, "")
	}
}

// setLatest sets the latest answer of a lane, and forgets the one before it; it is locked by mu.
// Outside of runs, two lanes that say the same have answers with one id.
func (k *keptByConnection) setLatest(lane, id string) {
	before := k.latest[lane]
	k.latest[lane] = id
	for _, latest := range k.latest {
		if latest == before {
			return
		}
	}
	k.Remove(before)
}

// lane are the requests of a connection that are answered one after the other.
type lane struct {
	of   *keptByConnection
	name string
}

// laneKey is under which the context of a request over a connection has its lane.
type laneKey struct{}

// laneOf returns the lane of a request, or nil if it came over no connection that keeps anything.
func laneOf(r *http.Request) *lane {
	l, _ := r.Context().Value(laneKey{}).(*lane)
	return l
}

// keeper returns what keeps the histories of the connection, or nil.
func (l *lane) keeper() *histories.Keeper {
	if l == nil {
		return nil
	}
	return l.of.Keeper
}

// keep keeps an answer in the place of the one before it in the lane.
func (l *lane) keep(asked *histories.Request, p *profiles.Profile, a histories.Answer) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.of.Keep(asked, p, a)
	l.of.setLatest(l.name, a.ID)
}

// warm keeps what a request says for the one after it, and lets the model say nothing.
func (p *Provider) warm(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	t, err := p.findTarget(r, d)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	s, in := t.settings(), p.read(t, r, d)
	if in.problem != nil {
		p.send(w, r, &in.problem.response)
		return
	}
	resp := response{id: histories.NewID("resp_"), said: &wire.Answer{Finish: wire.FinishStop}}
	resp = resp.streaming(s, in)
	asked, kept := &in.history, resp.kept()
	laneOf(r).keep(asked, s.profile, kept)
	if asked.Kept {
		p.tellKept(s, resp.id, s.histories.Keep(asked, s.profile, kept), asked.Before.History(), asked.Continues())
	}
	p.send(w, r, &resp)
}

// streaming returns a response whose bytes are the events of what it says.
func (r response) streaming(s *settings, in *received) response {
	streamed := keptResponse(s, wire.KeptAnswer{Events: s.profile.Shape.Stream(r.said, wire.Reply{ID: r.id, Model: in.history.Sent.Model, Created: created, Request: in.request})})
	streamed.id, streamed.said = r.id, r.said
	return streamed
}
