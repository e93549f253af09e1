package engine

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// serveUnrouted answers a request that reaches no run, and writes it into the journal.
func (p *Provider) serveUnrouted(w http.ResponseWriter, r *http.Request, status int, message string) {
	if p.forwardUnrouted(w, r, "") {
		return
	}
	profile := p.profileFor(r)
	resp := new(failure(profile, status, message)).withRequestID(p.defaultRun.in(nil).settings(), nil)
	now := p.defaultRun.since()
	x := trace.Exchange{Problem: message, Start: now, End: now}
	note := p.noteUnrouted(r, profile, x, resp.noted())
	p.send(w, r, resp)
	p.tellDone(note)
}

// profileFor returns the profile in whose form a request is answered that gets no answer of a
// model.
func (p *Provider) profileFor(r *http.Request) *profiles.Profile {
	if run, ok := p.runByID(runInPath(r.URL.Path)); ok {
		return run.in(nil).settings().profile
	}
	return p.profileAt(r)
}

// noteUnrouted notes a request that reaches no run and its answer.
func (p *Provider) noteUnrouted(r *http.Request, profile *profiles.Profile, x trace.Exchange, answer journal.Answer) *journal.Note {
	e := p.entry(r, DefaultRun, nil)
	e.Unrouted, e.Done = true, true
	e.Profile, e.Exchange, e.Answer = profile, x, answer
	return p.journal.Add(e)
}

// profileAt returns the profile in whose form a request is answered that leads nowhere: that of the
// API to which its path belongs, or whose client a header shows, so that the client can read what is
// wrong.
func (p *Provider) profileAt(r *http.Request) *profiles.Profile {
	path := r.URL.Path
	for _, other := range p.config.played() {
		if other.Speaks.Endpoint.Has(path) {
			return other
		}
	}
	_, api := p.meant(r)
	if api == nil {
		api = p.toldByHeader(r)
	}
	var below []*profiles.Profile
	for _, other := range p.config.played() {
		if other.Speaks == api {
			return other
		}
		version, _, _ := strings.Cut(strings.TrimPrefix(other.Speaks.Endpoint.Path(), "/"), "/")
		if strings.HasPrefix(path, "/"+version+"/") {
			below = append(below, other)
		}
	}
	if len(below) == 1 {
		return below[0]
	}
	return p.config.Profile
}

// wrongMethod answers a request with a method that its path does not have. That of a redirected
// request is lost with clients that turn a POST into a GET, so a run takes note of it.
func (p *Provider) wrongMethod(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost || !p.isTurn(r.URL.Path) { // a shorter end may be meant, which has the method
		switch path, unplayed := p.meant(r); {
		case path != "":
			p.route(w, withPath(r, path))
			return
		case unplayed != nil:
			p.serveUnknown(w, r)
			return
		}
	}
	if run, ok := p.runs.Load(runInPath(r.URL.Path)); ok {
		run.(*Run).noteLost(r)
	}
	p.serveUnrouted(w, r, http.StatusMethodNotAllowed, fmt.Sprintf("Not allowed to %s on %s.", r.Method, shownPath(r)))
}

// isTurn reports whether a path is that of a request for a turn in any dialect.
func (p *Provider) isTurn(path string) bool {
	return slices.ContainsFunc(p.spoken(), func(d *wire.Dialect) bool { return d.Endpoint.Has(path) })
}

// failure is an error of our own in the envelope of a profile.
func failure(profile *profiles.Profile, status int, message string) response {
	kind := "invalid_request_error"
	return errorResponse(profile, status, profiles.Words{Message: message, Type: &kind})
}
