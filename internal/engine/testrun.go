package engine

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestRunConfig configures a [TestRun]. The zero value plays the scripts of the server. Package
// mockprovider describes the fields.
type TestRunConfig struct {
	ID        string // "" means a random id
	Scenarios []*scenarios.Scenario
	Profile   *profiles.Profile
	Behaviour *scenarios.Behaviour
	Lenient   bool
}

// TestRun is a run for one test of an application, with its own attempts and journal, and with its
// own scripts or those of the server. Unlike a [Run], it does not follow a conversation: the step
// is found by the history in each request. A request belongs to it by its path, its API key, or the
// header [RunHeader].
type TestRun struct {
	ID string

	config  Config // the server's, with what the run changes
	weight  int64  // of its scripts
	log     *Journal
	started time.Time
	ctx     context.Context // ends with the run
	cancel  context.CancelFunc

	dialects  []*dialectRun // the first is the one of the run's profile
	histories *histories.Keeper

	uses     *atomic.Int64 // of all test runs of the provider
	used     atomic.Int64  // the last use of this one among them
	attempts attempts
	limits   limits
	states   states
	control  control
	mcp      mcpServers
}

func newTestRun(id string, c Config, j *Journal, room *histories.Room, uses *atomic.Int64) *TestRun {
	r := &TestRun{ID: id, config: c, log: j, started: c.Clock.Now(), histories: histories.New(false, room), uses: uses}
	r.use()
	r.ctx, r.cancel = context.WithCancel(context.Background())
	for _, p := range c.played() {
		r.dialects = append(r.dialects, newDialectRun(r, p))
	}
	for _, route := range c.Routes {
		o := newDialectRun(r, route.Profile)
		o.route = route
		r.dialects = append(r.dialects, o)
	}
	r.attempts.store, r.attempts.run, r.attempts.failed = c.Store, id, c.StoreFailed
	r.play(c.Scenarios)
	return r
}

func (r *TestRun) in(d *wire.Dialect) target {
	for _, o := range r.dialects {
		if o.route.Profile == nil && o.about.profile.Speaks == d {
			return o
		}
	}
	return r.dialects[0]
}

// follow lets the run play what another one does.
func (r *TestRun) follow(base *TestRun) {
	for i, o := range r.dialects {
		o.base = base.dialects[i]
	}
}

func (r *TestRun) profile() *profiles.Profile { return r.config.Profile }
func (r *TestRun) since() time.Duration       { return r.config.Clock.Now().Sub(r.started) }

var runID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`) })

// maxTestRuns bounds how many test runs there are at a time. The one that was idle for longest
// makes room.
const maxTestRuns = 10_000

// StartTestRun makes a run and returns it. The caller should end it by [Provider.EndTestRun].
func (p *Provider) StartTestRun(c TestRunConfig) (*TestRun, error) { return p.startTestRun(c, 0) }

// startTestRun is [Provider.StartTestRun] with scripts of that weight, which came over HTTP; see
// [weightOfScript].
func (p *Provider) startTestRun(c TestRunConfig, weight int64) (*TestRun, error) {
	switch {
	case c.ID == "":
		c.ID = token(6)
	case !runID().MatchString(c.ID):
		return nil, fmt.Errorf("a run is named by at most 64 letters, digits, dots, _ and -, not %q", c.ID)
	case c.ID == "." || c.ID == "..": // clients resolve them, and so would ask others than the run
		return nil, fmt.Errorf("a run cannot be named %q, which has a meaning of its own in the path of a URL", c.ID)
	}
	if err := scripts.Check(c.Scenarios); err != nil {
		return nil, err
	}
	config := p.config
	config.Lenient = config.Lenient || c.Lenient
	config.Scenarios, config.Behaviour = c.Scenarios, c.Behaviour.Over(config.Behaviour)
	follows := c.Scenarios == nil && c.Profile == nil
	if c.Scenarios == nil {
		config.Scenarios = p.config.Scenarios
	}
	if c.Profile != nil {
		config.Profile, config.Routes = c.Profile, nil
		config.ExtraProfiles = slices.DeleteFunc(slices.Clone(config.ExtraProfiles), func(p *profiles.Profile) bool { return p.Dialect == c.Profile.Dialect })
	}
	r := newTestRun(c.ID, config, p.newJournal(false), p.kept, &p.testRunUses)
	r.weight = weight
	if follows {
		r.follow(p.defaultRun)
	}
	if _, taken := p.runByID(c.ID); taken {
		return nil, fmt.Errorf("there is a run %q already; end it first, or take another name", c.ID)
	}
	if _, taken := p.testRuns.LoadOrStore(c.ID, r); taken {
		return nil, fmt.Errorf("there is a run %q already; end it first, or take another name", c.ID)
	}
	p.watch.attach(r.log)
	p.testRunCount.Add(1)
	p.scriptBytes.Add(r.weight)
	p.makeRoom(r)
	p.changes.Tell()
	return r, nil
}

// EndTestRun forgets a run. Requests to it are answered with 404 from then on, and what is still
// being answered ends.
func (p *Provider) EndTestRun(r *TestRun) {
	if p.testRuns.CompareAndDelete(r.ID, r) {
		p.testRunCount.Add(-1)
		p.scriptBytes.Add(-r.weight)
	}
	r.cancel()
	r.log.Release()
	p.latest.forget(r.ID)
	r.histories.Close()
	p.changes.Tell()
}

// makeRoom ends the runs that were idle for longest while there are too many, or their scripts take
// too much memory. made is the latest, which stays.
func (p *Provider) makeRoom(made *TestRun) {
	for p.testRunCount.Load() > maxTestRuns || p.scriptBytes.Load() > p.config.Limits.scripts() {
		idle := p.idlest(made)
		if idle == nil {
			return
		}
		p.EndTestRun(idle)
	}
}

// idlest returns the run that was idle for longest. Where scripts take too much memory, it is one
// that has scripts.
func (p *Provider) idlest(made *TestRun) (idle *TestRun) {
	scripted := p.testRunCount.Load() <= maxTestRuns
	p.testRuns.Range(func(_, run any) bool {
		r := run.(*TestRun)
		if r != made && (r.weight > 0 || !scripted) && (idle == nil || r.used.Load() < idle.used.Load()) {
			idle = r
		}
		return true
	})
	return idle
}

// use notes that the run was made or asked. Uses are counted, since the clock of the machine may be
// set back: then the runs that are made next would look idle for the longest time.
func (r *TestRun) use() { r.used.Store(r.uses.Add(1)) }

// Journal returns the journal of the run.
func (r *TestRun) Journal() *Journal { return r.log }

// Play changes what is played to requests outside of runs, and in test runs without scripts of
// their own. The error says why it cannot be played, and then all stays as it was.
func (p *Provider) Play(all []*scenarios.Scenario) error {
	if err := scripts.Check(all); err != nil {
		return err
	}
	p.defaultRun.play(all)
	return nil
}

// watch is what looks at all requests outside of runs and in test runs.
type watch struct {
	mu  sync.Mutex
	see func(Entry)
}

// Watch has every request outside of runs and in test runs handed to f, from now on. Requests wait
// for f, so it has to be quick; it is called for several at a time.
func (p *Provider) Watch(f func(Entry)) {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	p.watch.see = f
	p.journal.Watch(f)
	p.testRuns.Range(func(_, run any) bool {
		run.(*TestRun).log.Watch(f)
		return true
	})
}

// attach watches the journal of a run if there is a watcher.
func (w *watch) attach(j *Journal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.see != nil {
		j.Watch(w.see)
	}
}

// BaseURL returns the base URL for the official SDK of the provider, given the URL of the server.
func (r *TestRun) BaseURL(server string) string {
	return server + "/run/" + r.ID + r.profile().Speaks.Endpoint.BasePath
}

// APIKey returns an API key that assigns requests to the run, whatever their path.
func (r *TestRun) APIKey() string { return keyPrefix + r.ID }

// Lenient reports whether a violation is recorded and the request answered anyway.
func (r *TestRun) Lenient() bool { return r.config.Lenient }
