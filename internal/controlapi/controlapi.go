// Package controlapi lets people and programs see over HTTP what a mock provider was asked: a JSON
// API, described in openapi.yaml, and pages. It shows and asserts; it plays nothing itself.
//
//	controlapi.Mount(router, "/loopproof", provider)
package controlapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Provider is what the control API shows.
type Provider interface {
	// ShownRuns returns all runs, the default one first and then the latest first.
	ShownRuns() []Run
	// ShownRun returns the run of an id.
	ShownRun(id string) (Run, bool)
	// BeginRun makes a run.
	BeginRun(Wanted) (Run, error)
	// ForgetRun ends a run. The default one cannot end, and is false.
	ForgetRun(id string) bool
	// ResetRun forgets what a run was asked and begins its script again.
	ResetRun(id string)
	// AddAnswers adds answers to the run of an application, each a step in YAML or JSON.
	AddAnswers(id string, steps []string) error
	// Release lets go the answers of a run that are held until a name is released.
	Release(id, name string) error

	// Plays returns the name of the profile that is played in a dialect outside of runs, or "".
	Plays(d *wire.Dialect) string
	Dialects() []*wire.Dialect
	// Scripts returns what is played outside of runs.
	Scripts() []*scenarios.Scenario
	// Profiles returns the profiles that there are.
	Profiles() profiles.Known

	// Changes tells whenever a run or a journal has changed.
	Changes() *journal.Changes
	// Done is closed when the server stops.
	Done() <-chan struct{}
	// Sleep waits for d, or until the context ends; it reports whether it waited to the end.
	Sleep(ctx context.Context, d time.Duration) bool
	// Version is that of Loopproof.
	Version() string
}

// Run is what the control API shows of a run.
type Run struct {
	ID       string
	Scenario string // "" for the default run
	Title    string
	Profile  string
	Dialect  string
	Delivery string
	Lenient  bool
	Started  time.Time
	Journal  *journal.Journal
	APIKey   string // by which requests belong to the run; "" for the default one

	// URL is what the official SDK of the dialect takes as its base URL, given that of the server.
	URL func(server string) string
	// Task is the task for the loop of the run, given the URL of the server, or nil if the run has
	// no loop.
	Task func(server string) protocol.Task
	// Executions are of the tools that the mock hosts, or nil if it hosts none.
	Executions func() []*trace.Execution
	// Approvals are what the user was asked about calls, or nil if nobody asks.
	Approvals func() []*trace.Approval
}

// Wanted is a requested run: one that plays a scenario to a loop, step by step, or one for an
// application, whose requests identify their step by their history.
type Wanted struct {
	Profile string `json:"profile"` // "" is that of the server
	Lenient bool   `json:"lenient"`

	// For a loop: the id of a scenario that is known, or the text of one.
	Scenario string `json:"scenario"`
	YAML     string `json:"yaml"`
	Delivery string `json:"delivery"` // "" is sse
	Secret   string `json:"secret"`   // of which the ids of the calls are made; "" draws one

	// For an application: the name of the run, and the texts of scripts; without them those of the
	// server are played.
	ID      string   `json:"id"`
	Scripts []string `json:"scripts"`

	// Behaviour is that of the provider in the run of an application, as a JSON object; what it
	// does not say is as in the server.
	Behaviour json.RawMessage `json:"behaviour,omitempty"`
}

// route is a path of the control API under its prefix.
type route struct {
	method, path string
	serve        http.HandlerFunc
	page         bool // for people, and so not described
}

// api serves a provider.
type api struct {
	provider Provider
	prefix   string
}

// Mount adds the paths of the control API under a prefix.
func Mount(r *mux.Router, prefix string, p Provider) {
	c := &api{provider: p, prefix: prefix}
	for _, route := range c.routes() {
		r.HandleFunc(prefix+route.path, route.serve).Methods(route.method)
	}
	r.HandleFunc("/", c.start).MatcherFunc(browsed)
}

func (c *api) routes() []route {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	return []route{
		{method: get, path: "/runs", serve: c.listRuns},
		{method: post, path: "/runs", serve: c.beginRun},
		{method: get, path: "/runs/{run}", serve: c.showRun},
		{method: del, path: "/runs/{run}", serve: c.forgetRun},
		{method: post, path: "/runs/{run}/reset", serve: c.resetRun},
		{method: post, path: "/runs/{run}/answers", serve: c.addAnswers},
		{method: post, path: "/runs/{run}/release", serve: c.release},
		{method: get, path: "/runs/{run}/report", serve: c.showReport},
		{method: get, path: "/runs/{run}/verdict", serve: c.showVerdict},
		{method: get, path: "/runs/{run}/requests/{number:[0-9]+}", serve: c.showRequest},
		{method: get, path: "/runs/{run}/requests/{number:[0-9]+}/body", serve: c.showBody},
		{method: get, path: "/runs/{run}/requests/{number:[0-9]+}/answer", serve: c.showAnswer},
		{method: get, path: "/runs/{run}/requests/{number:[0-9]+}/value", serve: c.showValue},
		{method: get, path: "/requests", serve: c.listRequests},
		{method: get, path: "/assert", serve: c.assert},
		{method: post, path: "/assert", serve: c.assert},
		{method: get, path: "/wait", serve: c.wait},
		{method: post, path: "/wait", serve: c.wait},
		{method: get, path: "/events", serve: c.events},
		{method: get, path: "/openapi.yaml", serve: c.openAPI},
		{method: get, path: "/openapi.json", serve: c.openAPI},
		{method: get, path: "", serve: c.home, page: true},
		{method: get, path: "/", serve: c.pageOfRuns, page: true},
		{method: get, path: "/show/{run}/{number:[0-9]+}", serve: c.pageOfConversation, page: true},
		{method: get, path: "/lint", serve: c.pageOfLint, page: true},
		{method: post, path: "/lint", serve: c.pageOfLint, page: true},
		{method: get, path: "/assets/{name}", serve: c.asset, page: true},
	}
}

// entries returns all requests of all runs, or of one.
func (c *api) entries(run string) []journal.Entry {
	var all []journal.Entry
	for _, j := range c.journals(run) {
		all = append(all, j.Entries()...)
	}
	return all
}

// outlines returns the same requests as entries, without reading those again that are compact.
func (c *api) outlines(run string) []journal.Entry {
	var all []journal.Entry
	for _, j := range c.journals(run) {
		all = append(all, j.Outlines()...)
	}
	return all
}

// journals returns those of all runs, or of one.
func (c *api) journals(run string) []*journal.Journal {
	if run != "" {
		r, ok := c.provider.ShownRun(run)
		if !ok {
			return nil
		}
		return []*journal.Journal{r.Journal}
	}
	var all []*journal.Journal
	for _, r := range c.provider.ShownRuns() {
		all = append(all, r.Journal)
	}
	return all
}
