// Package console lets people and programs see over HTTP what a mock provider was asked: a JSON API, described in
// openapi.yaml, and pages. It shows and asserts; it plays nothing itself.
//
//	console.Mount(router, "/loopproof", provider)
package console

import (
	"context"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/journal"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/rules"
)

// Provider is what the console shows.
type Provider interface {
	// ShownRuns returns all runs, the default one first and then the latest first.
	ShownRuns() []Run
	// ShownRun returns the run of an id.
	ShownRun(id string) (Run, bool)
	// BeginRun makes a run, which is reached under the URL of the server.
	BeginRun(w Wanted, base string) (Run, error)
	// ForgetRun ends a run. The default one cannot end, and is false.
	ForgetRun(id string) bool
	// ResetRun forgets what a run was asked and begins its script again.
	ResetRun(id string)

	// Changes tells whenever a run or a journal has changed.
	Changes() *journal.Changes
	// Over is closed when nobody is served any more.
	Over() <-chan struct{}
	// Sleep waits for d, or until the context ends; it reports whether it waited to the end.
	Sleep(ctx context.Context, d time.Duration) bool
	// Version is that of Loopproof.
	Version() string
}

// Run is what the console shows of a run.
type Run struct {
	ID         string
	Scenario   string // "" for the default run
	Title      string
	Profile    string
	Dialect    string
	Delivery   string
	Lenient    bool
	Started    time.Time
	Journal    *journal.Journal
	Executions func() []*rules.Execution // of the tools that the mock hosts; nil: of none
	Task       *protocol.Task            // what a loop has to be told to play the run; nil for the default run
}

// Wanted is a run that somebody asks for.
type Wanted struct {
	Scenario string `json:"scenario"` // id of one that is known
	YAML     string `json:"yaml"`     // or the text of one
	Profile  string `json:"profile"`  // "" is that of the server
	Delivery string `json:"delivery"` // "" is sse
	Lenient  bool   `json:"lenient"`
	Secret   string `json:"secret"` // of which the ids of the calls are made; "" draws one
}

// route is a path of the console under its prefix.
type route struct {
	method, path string
	serve        http.HandlerFunc
	page         bool // for people, and so not described
}

// console serves a provider.
type console struct {
	provider Provider
	prefix   string
}

// Mount adds the paths of the console under a prefix.
func Mount(r *mux.Router, prefix string, p Provider) {
	c := &console{provider: p, prefix: prefix}
	for _, route := range c.routes() {
		r.HandleFunc(prefix+route.path, route.serve).Methods(route.method)
	}
}

func (c *console) routes() []route {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	return []route{
		{method: get, path: "/runs", serve: c.listRuns},
		{method: post, path: "/runs", serve: c.beginRun},
		{method: get, path: "/runs/{run}", serve: c.showRun},
		{method: del, path: "/runs/{run}", serve: c.forgetRun},
		{method: post, path: "/runs/{run}/reset", serve: c.resetRun},
		{method: get, path: "/runs/{run}/report", serve: c.showReport},
		{method: get, path: "/runs/{run}/requests/{number:[0-9]+}", serve: c.showRequest},
		{method: get, path: "/runs/{run}/requests/{number:[0-9]+}/body", serve: c.showBody},
		{method: get, path: "/runs/{run}/requests/{number:[0-9]+}/answer", serve: c.showAnswer},
		{method: get, path: "/requests", serve: c.listRequests},
		{method: get, path: "/assert", serve: c.assert},
		{method: post, path: "/assert", serve: c.assert},
		{method: get, path: "/wait", serve: c.wait},
		{method: post, path: "/wait", serve: c.wait},
		{method: get, path: "/events", serve: c.events},
		{method: get, path: "/openapi.yaml", serve: c.openAPI},
		{method: get, path: "/openapi.json", serve: c.openAPI},
	}
}

// entries returns all requests of all runs, or of one.
func (c *console) entries(run string) []journal.Entry {
	if run != "" {
		r, ok := c.provider.ShownRun(run)
		if !ok {
			return nil
		}
		return r.Journal.Entries()
	}
	var all []journal.Entry
	for _, r := range c.provider.ShownRuns() {
		all = append(all, r.Journal.Entries()...)
	}
	return all
}
