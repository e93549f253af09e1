package mockprovider

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/scenarios"
)

// Provider is an http.Handler that plays providers. Make one with [New].
type Provider struct{ engine *engine.Provider }

// New returns a provider.
func New(c Config) *Provider { return &Provider{engine.New(c.engine())} }

// ServeHTTP answers a request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.engine.ServeHTTP(w, r) }

// Journal returns what was asked outside of runs.
func (p *Provider) Journal() *Journal { return p.engine.Journal() }

// Play changes what is played, but in runs with scripts of their own. The error says why it cannot be played, such as two
// scripts that begin with the same prompt, and then all stays as it was.
func (p *Provider) Play(scripts []*scenarios.Scenario) error { return p.engine.Play(scripts) }

// Watch has every request handed to f, from now on. Requests wait for f, so it has to be quick; it is called for several
// at a time.
func (p *Provider) Watch(f func(Entry)) { p.engine.Watch(f) }

// StartRun makes a run and returns it. The caller should end it by [Provider.EndRun].
func (p *Provider) StartRun(c RunConfig) (*Run, error) {
	run, err := p.engine.StartTestRun(engine.TestRunConfig(c))
	if err != nil {
		return nil, err
	}
	return &Run{ID: run.ID, run: run}, nil
}

// EndRun forgets a run. Requests to it are answered with 404 from then on, and what is still being answered ends.
func (p *Provider) EndRun(r *Run) { p.engine.EndTestRun(r.run) }
