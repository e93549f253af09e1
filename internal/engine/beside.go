package engine

import (
	"crypto/sha256"
	"net/http"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// besideAPI is what clients ask of a provider besides turns of the model.
type besideAPI struct {
	name    string        // in the journal: embeddings
	dialect *wire.Dialect // nil: any

	// forwards says that the fallback answers it, if there is one, but for what scripted says that
	// a script answers; nil: nothing.
	forwards bool
	scripted func(t target, r *http.Request) bool

	// behaviour returns how the provider behaves for a request by a script; nil: scripts do not say.
	behaviour func(t target, r *http.Request, body []byte) *scenarios.Behaviour

	// asked returns of a body what a repetition of the request has, too, and false for what comes at
	// once whatever the behaviour is; nil: all of it.
	asked func(body []byte) (key []byte, behaves bool)

	// answer makes the answer to a request. The error says why the body cannot be read.
	answer func(t target, r *http.Request, body []byte) (response, error)
}

// whole is a turn that goes well: what a fault of the behaviour may happen to.
var whole = &scenarios.Turn{Step: &scenarios.Step{}, Number: -1, Answer: &wire.Answer{}}

// beside returns what serves an API besides turns. It is the way of every such request, one step a
// line, as that of a turn is [Provider.serveTurn]: find the run, read, answer, let it come as the
// behaviour says, note it, send it, note how it ended.
func (p *Provider) beside(api besideAPI) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if api.forwards && !p.answeredByScript(api, r) && p.forwardUnrouted(w, r, api.name) {
			return // the provider knows better
		}
		t, err := p.findBeside(r, api.dialect)
		if err != nil {
			p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
			return
		}
		s, x := t.settings(), trace.Exchange{Start: t.since()}
		body, err := p.readBody(r)
		resp, plan := response{}, (*responsePlan)(nil)
		if err == nil {
			resp, plan, err = p.planned(t, r, body, api)
		}
		defer plan.done() // deferred, since a severed response may end by a panic
		if err != nil {
			resp, x.Problem = failure(s.profile, statusOf(err), sentence(err)), err.Error()
		}
		sent := resp.withRequestID(s, plan.instead())
		entry := p.entry(r, s.id, nil)
		entry.API, entry.Profile, entry.Exchange, entry.Answer, entry.Fault = api.name, s.profile, x, sent.noted(), plan.goneWrong()
		entry.SetBody(body)
		note := s.journal.Add(entry)
		defer func() { // deferred, since a severed response may end by a panic
			x.End = t.since()
			note.Ended(x)
			if s.told {
				p.tellDone(note)
			}
		}()
		if sent.handler != nil {
			p.sendHandled(w, s, r, sent, body, note)
			return
		}
		p.sendNoted(w, s, r, sent, note)
	}
}

// answeredByScript reports whether a script answers a request that else goes to the fallback.
func (p *Provider) answeredByScript(api besideAPI, r *http.Request) bool {
	if p.config.Fallback == nil || api.scripted == nil {
		return false
	}
	t, err := p.findBeside(r, api.dialect)
	return err == nil && api.scripted(t, r)
}

// findBeside finds the run to which a request besides turns belongs.
func (p *Provider) findBeside(r *http.Request, d *wire.Dialect) (target, error) {
	if d != nil {
		return p.findTarget(r, d)
	}
	run, err := p.findRun(r)
	if err != nil {
		return nil, err
	}
	return p.at(run, r, nil), nil
}

// planned returns the answer to a request besides turns as it comes by the behaviour, and how it
// comes.
func (p *Provider) planned(t target, r *http.Request, body []byte, api besideAPI) (resp response, plan *responsePlan, err error) {
	said := (*scenarios.Behaviour)(nil)
	if api.behaviour != nil {
		said = api.behaviour(t, r, body)
	}
	key, behaves := body, true
	if api.asked != nil {
		key, behaves = api.asked(body)
	}
	if !behaves {
		resp, err = api.answer(t, r, body)
		return resp, nil, err
	}
	plan, err = t.planBeside(r.Header, said, sha256.Sum256(append([]byte(r.URL.Path+"\n"), key...)), 1+len(body)/scenarios.BytesPerToken)
	if err != nil {
		return resp, nil, err
	}
	profile := t.settings().profile
	instead := plan.instead()
	if instead != nil && instead.Fails() {
		return plan.applyBeside(p.failedTurn(profile, instead)), plan, nil
	}
	if resp, err = api.answer(t, r, body); err != nil {
		return resp, plan, err
	}
	if instead != nil && resp.handler != nil {
		resp = handled(resp.handler, r, body)
	}
	if instead != nil && resp.status == http.StatusOK && resp.writes == nil {
		resp = wholeResponse(profile, instead, resp.body)
	}
	return plan.applyBeside(resp), plan, nil
}
