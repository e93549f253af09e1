package engine

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/engine/guard"
	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/engine/replicas"
	"github.com/loopproof/loopproof/internal/engine/tlsport"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Config says how a provider behaves. The zero value is useful. Package mockprovider describes the
// fields that it has, too; those about answers are for requests outside of a [Run].
type Config struct {
	Profile       *profiles.Profile
	ExtraProfiles []*profiles.Profile
	Scenarios     []*scenarios.Scenario

	// Routes are profiles that are played for some requests, besides those: several of one dialect.
	Routes []Route

	// Library holds scenarios, besides those, of which runs can be made over HTTP; Profiles are
	// known there besides those of Loopproof.
	Library  Library
	Profiles []*profiles.Profile

	Schema          func(schema, document []byte) error
	AllowImpossible bool
	Lenient         bool
	Behaviour       *scenarios.Behaviour
	Fallback        http.Handler
	Endpoints       []endpoints.Endpoint // besides those that are built in, and before them
	OnExchangeDone  func(Entry)

	// Store is shared by servers that act as one, or nil if there is only this server. StoreFailed
	// is called when the store cannot be reached: each server then counts and stores by itself.
	Store       replicas.Store
	StoreFailed func(error)

	Secret string

	// ToolServer returns a handler for /run/{run}/mcp, which offers the tools of a run in another
	// protocol, or nil if there is none.
	ToolServer func(*Run) http.Handler

	// MCPServers returns a handler that offers an MCP server of a script; nil: there are none.
	MCPServers func(*MCPHost) http.Handler

	// Listen opens the port of a [Server], and one of their own for runs that refuse connections;
	// nil: a free port of the loopback address.
	Listen func() (net.Listener, error)

	// Tunnels are opened for clients that take a [Server] for their proxy; nil: none.
	Tunnels *tlsport.Tunnels

	// Clock tells the time; nil is the clock of the machine.
	Clock Clock

	Models  []string
	Access  Access
	Refused func(string)
	Limits  Limits
}

// Limits limit how much a server reads and stores. Zero values mean the defaults. Package
// mockprovider describes them.
type Limits struct {
	Body           int64
	JournalEntries int
	BodyTime       time.Duration
	JournalBytes   int64
	ScriptBytes    int64
}

// Provider is an http.Handler that plays model providers. Create one with [New].
type Provider struct {
	config     Config
	endpoints  *mux.Router // of the dialects; its handlers are of the type endpoint
	runs       sync.Map    // id to *Run
	ended      endedRuns
	defaultRun *TestRun // for requests that name no run
	testRuns   sync.Map // id to *TestRun

	guard   *guard.Guard
	foreign guard.Told

	// ofRuns, controls and unplayed are the other routes, made when the first is asked for. unplayed are
	// paths of the dialects that are not played; see [Provider.meant].
	ofRuns, controls, unplayed func() *mux.Router

	// otherEndpoints are all endpoints besides those of the dialects, read when the first is asked for.
	otherEndpoints func() []endpoints.Endpoint

	testRunCount atomic.Int64
	testRunUses  atomic.Int64
	scriptBytes  atomic.Int64 // of the scripts of all test runs
	journal      *Journal
	changes      journal.Changes
	others       *replicas.Follower // nil if the server is alone
	budget       *journal.Budget    // of all journals, and of what is kept
	kept         *histories.Room    // of all runs
	latest       latest
	watch        watch
	ctx          context.Context // ends with the server
	cancel       context.CancelFunc
	asked        struct {
		sync.Mutex
		runs []*Run // that were asked for over HTTP, the oldest first
	}
}

// Library holds scenarios, which are read when they are asked for.
type Library interface {
	// IDs returns the ids of all.
	IDs() []string

	// Find returns the scenario of an id, and nil when there is none.
	Find(id string) (*scenarios.Scenario, error)
}

// New returns a provider.
func New(c Config) *Provider {
	if c.Profile == nil {
		c.Profile, _ = profiles.Get(dialect.All()[0].Standard)
	}
	if c.Clock == nil {
		c.Clock = SystemClock{}
	}
	if c.Limits.Body == 0 {
		c.Limits.Body = 32 << 20
	}
	if c.StoreFailed == nil {
		c.StoreFailed = func(error) {}
	}
	var link *replicas.Link
	if c.Store != nil {
		link = replicas.NewLink(c.Store)
		told := c.StoreFailed
		c.Store, c.StoreFailed = link, func(err error) {
			if !errors.Is(err, replicas.ErrDown) {
				told(err)
			}
		}
	}
	p := &Provider{config: c, guard: guard.New(c.Access)}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.budget = journal.NewBudget(c.Limits.JournalBytes)
	p.kept = histories.NewRoom(p.budget)
	p.journal = p.newJournal(false)
	p.defaultRun = newTestRun(DefaultRun, c, p.journal, p.kept, &p.testRunUses)
	p.otherEndpoints = sync.OnceValue(func() []endpoints.Endpoint { return slices.Concat(endpoints.BuiltIn(), c.Endpoints) })
	p.endpoints = endpointsOf(p.spoken())
	p.ofRuns, p.controls, p.unplayed = sync.OnceValue(p.newOfRuns), sync.OnceValue(p.newControls), sync.OnceValue(p.newUnplayed)
	if link != nil {
		p.others = replicas.NewFollower(p.ctx, link, p.apply, c.StoreFailed)
		go p.others.Follow(c.Clock.Sleep)
	}
	return p
}

// ServeHTTP answers a request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.guarded(http.HandlerFunc(p.serve)).ServeHTTP(w, r)
}

// serve answers a request that may be sent.
func (p *Provider) serve(w http.ResponseWriter, r *http.Request) {
	if isShared(r.URL.Path) {
		p.catchUp()
	}
	p.route(w, r)
}

// newJournal returns a journal of the size that is configured. A late one judges requests only when
// they are read.
func (p *Provider) newJournal(late bool) *Journal {
	return journal.New(journal.Options{Entries: p.config.Limits.JournalEntries, Budget: p.budget, Late: late}, &p.changes)
}

// Journal returns the journal of the requests outside of runs.
func (p *Provider) Journal() *Journal { return p.journal }
