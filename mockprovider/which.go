package mockprovider

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gorilla/mux"
)

// RunHeader is the header by which a request says to which run it belongs.
const RunHeader = "X-Loopproof-Run"

// keyPrefix begins an API key that names a run.
const keyPrefix = "loopproof-"

// inside finds the run that a path names.
func (p *Provider) inside(r *http.Request) (conversation, error) {
	return p.named(mux.Vars(r)["run"], r)
}

// outside finds the run that a header or an API key names, and where there is none, what belongs to no run.
func (p *Provider) outside(r *http.Request) (conversation, error) {
	if id := r.Header.Get(RunHeader); id != "" {
		return p.named(id, r)
	}
	if id, ok := strings.CutPrefix(apiKey(r.Header), keyPrefix); ok && id != "" {
		return p.named(id, r)
	}
	return p.open, nil
}

// named finds the run that a request names.
func (p *Provider) named(id string, r *http.Request) (conversation, error) {
	conv, err := p.run(id)
	if err != nil {
		return nil, p.ended.noRun(id, r.URL.Path)
	}
	return conv, nil
}

// run finds a run, be it one that another server has just begun.
func (p *Provider) run(id string) (conversation, error) {
	conv, err := p.known(id)
	if err != nil && p.others != nil {
		p.catchUp()
		return p.known(id)
	}
	return conv, err
}

// known finds a run that is known here.
func (p *Provider) known(id string) (conversation, error) {
	if run, ok := p.runs.Load(id); ok {
		return run.(*Run), nil
	}
	if run, ok := p.apart.Load(id); ok {
		return run.(*OpenRun).conversations, nil
	}
	if id == DefaultRun {
		return p.open, nil
	}
	return nil, fmt.Errorf("there is no run %q here; it may have ended", id)
}

// apiKey returns the key that a client sends, in whichever way its provider wants it.
func apiKey(h http.Header) string {
	if bearer, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer "); ok {
		return strings.TrimSpace(bearer)
	}
	if key := h.Get("X-Api-Key"); key != "" {
		return key
	}
	return h.Get("Api-Key")
}
