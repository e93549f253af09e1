package engine

import (
	"context"
	"net/http"

	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/engine/sockets"
	"github.com/loopproof/loopproof/internal/wire"
)

// serveSocket answers the requests that a client sends over one connection, one after the other.
// Each is served as if it had come over HTTP and asked for a stream. The connection keeps histories
// of its own, whether they are stored or not.
func (p *Provider) serveSocket(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	if !sockets.Asked(r) {
		p.wrongMethod(w, r)
		return
	}
	ctx, stop := eitherOf(r.Context(), p.ctx)
	defer stop()
	local := histories.New(true, p.kept)
	defer local.Close()
	sockets.Serve(w, r.WithContext(context.WithValue(ctx, connectionKey{}, local)), sockets.Options{
		Socket: d.Endpoint.Socket, Frames: d.Frames(), MaxMessage: p.config.Limits.Body, Patience: patience,
		Answer: func(w http.ResponseWriter, r *http.Request, asked wire.SocketRequest) {
			if asked.Warms {
				p.warm(w, r, d)
			} else {
				p.serveTurn(w, r, d)
			}
		},
		Failed: func(asked wire.SocketRequest) { local.Remove(asked.Follows) }, // what it continues from is lost to the connection
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

// connectionKey is under which the context of a request has the histories that its connection
// keeps.
type connectionKey struct{}

// connectionOf returns the histories that the connection of a request keeps, or nil if it keeps
// none.
func connectionOf(r *http.Request) *histories.Keeper {
	local, _ := r.Context().Value(connectionKey{}).(*histories.Keeper)
	return local
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
	connectionOf(r).Keep(asked, s.profile, kept)
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
