package engine

import (
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// RunHeader is the header by which a request says to which run it belongs.
const RunHeader = "X-Loopproof-Run"

// keyPrefix begins an API key that names a run.
const keyPrefix = "loopproof-"

// findTarget finds the run to which a request in a dialect belongs.
func (p *Provider) findTarget(r *http.Request, d *wire.Dialect) (target, error) {
	run, err := p.findRun(r)
	if err != nil {
		return nil, err
	}
	if one, is := run.(*Run); is {
		one.dropIfDown()
	}
	t := p.at(run, r, d)
	return t, spokenBy(d, t.settings().profile)
}

// findRun finds the run to which a request belongs, be it one that another server has just begun.
func (p *Provider) findRun(r *http.Request) (anyRun, error) {
	id := runNamedBy(r)
	run, ok := p.runByID(id)
	if !ok && p.others != nil {
		p.catchUp()
		run, ok = p.runByID(id)
	}
	if !ok {
		return nil, p.ended.noRun(id, r.URL.Path)
	}
	return run, nil
}

// runByID finds a run that is known here.
func (p *Provider) runByID(id string) (anyRun, bool) {
	if id == DefaultRun {
		return p.defaultRun, true
	}
	if run, ok := p.runs.Load(id); ok {
		return run.(*Run), true
	}
	if run, ok := p.testRuns.Load(id); ok {
		return run.(*TestRun), true
	}
	return nil, false
}

// runNamedBy returns the id of the run that a request names: by its path, else by a header, else by
// its API key. A request that names none belongs to the default run.
func runNamedBy(r *http.Request) string {
	if id := runInPath(r.URL.Path); id != "" {
		return id
	}
	if id := r.Header.Get(RunHeader); id != "" {
		return id
	}
	key := apiKey(r.Header)
	if key == "" && r.URL.RawQuery != "" {
		key = r.URL.Query().Get("key")
	}
	if id, ok := strings.CutPrefix(key, keyPrefix); ok && id != "" {
		return id
	}
	return DefaultRun
}

// runInPath returns the id of the run that a path names, or "".
func runInPath(path string) string {
	rest, ok := strings.CutPrefix(path, "/run/")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	return id
}

// apiKey returns the key that a client sends, in whichever way its provider wants it.
func apiKey(h http.Header) string {
	if bearer, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer "); ok {
		return strings.TrimSpace(bearer)
	}
	if _, signed, ok := strings.Cut(h.Get("Authorization"), "Credential="); ok { // AWS's signature version 4 names the id of the key alone
		id, _, _ := strings.Cut(signed, "/")
		return id
	}
	if key := h.Get("X-Api-Key"); key != "" {
		return key
	}
	if key := h.Get("X-Goog-Api-Key"); key != "" {
		return key
	}
	return h.Get("Api-Key")
}
