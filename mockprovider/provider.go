package mockprovider

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/scenarios"
)

// Provider is an http.Handler that plays model providers. Create one with [New].
type Provider struct{ engine *engine.Provider }

// New returns a provider.
func New(c Config) *Provider { return &Provider{engine.New(c.engine())} }

// ServeHTTP answers a request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.engine.ServeHTTP(w, r) }

// Journal returns the journal of the requests outside of runs.
func (p *Provider) Journal() *Journal { return &Journal{p.engine.Journal()} }

// Play replaces the scripts, except those of runs that have their own. If the new ones cannot be
// played, for example because two begin with the same prompt, it returns an error and changes
// nothing.
func (p *Provider) Play(all []*scenarios.Scenario) error { return p.engine.Play(scripts(all)) }

// Watch calls f for every request from now on, before it is answered. Requests wait for f, so it
// has to be fast. It may be called concurrently.
func (p *Provider) Watch(f func(Entry)) {
	p.engine.Watch(func(e journal.Entry) { f(newEntry(e)) })
}

// StartRun starts a run. The caller should end it with [Provider.EndRun].
func (p *Provider) StartRun(c RunConfig) (*Run, error) { return p.startRun("", c) }

// startRun starts a run of a server at a URL.
func (p *Provider) startRun(url string, c RunConfig) (*Run, error) {
	run, err := p.engine.StartTestRun(c.engine())
	if err != nil {
		return nil, err
	}
	return &Run{ID: run.ID, BaseURL: run.BaseURL(url), APIKey: run.APIKey(), run: run, provider: p.engine}, nil
}

// EndRun ends a run. Pending responses are aborted, and later requests to the run get a 404.
func (p *Provider) EndRun(r *Run) { p.engine.EndTestRun(r.run) }
