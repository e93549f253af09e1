package faults

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Most faults change nothing in most cases. To find those in which one does, every case is played
// once to the reference loop, and what passed is kept. Where the fault changes any of that, it is
// rehearsed on it, without a server and a judge, and without waiting. A case in which it sends the
// same requests, runs the same tools and reports the same outcome as the reference loop would be
// judged the same, so it is not played.

// archive holds what passed by the reference loop in each case, what of it each fault or variation
// looks at, and the plans of whole runs.
type archive struct {
	mu       sync.Mutex
	recorded map[string]map[trace.Case]*recording // by dialect
	views    map[string]*recordings
	plans    map[string]map[string][][]trace.Case
}

// archived is what all tests share.
var archived = archive{recorded: map[string]map[trace.Case]*recording{}, views: map[string]*recordings{}, plans: map[string]map[string][][]trace.Case{}}

// of returns the recordings of the cases that are planned for a fault. They are made when they are
// first asked for, with all claims: what a loop claims decides what is planned and judged, and tells
// the loop nothing. No fault leaves out the claim of tools which the provider runs, which is the one
// that the answers depend on.
func (a *archive) of(t *testing.T, p performance) (*recordings, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := fmt.Sprint(p.dialect, p.features, p.profiles)
	if made, ok := a.views[key]; ok {
		return made, nil
	}
	planned, err := p.plan(t.Context(), true)
	if err != nil {
		return nil, err
	}
	recorded := a.recorded[p.dialect]
	if recorded == nil {
		recorded = map[trace.Case]*recording{}
		a.recorded[p.dialect] = recorded
	}
	var missing []string
	for _, c := range planned {
		if recorded[c] == nil {
			missing = append(missing, c.ID())
		}
	}
	if len(missing) > 0 {
		p.features = claims.Without()
		config := p.config()
		config.Select.Quick, config.Select.Cases = false, missing
		if err := recordInto(t, config, recorded); err != nil {
			return nil, err
		}
	}
	view, err := newRecordings(recorded, planned)
	a.views[key] = view
	return view, err
}

// recordings are what passed by the reference loop in the cases of a plan.
type recordings struct {
	tasks map[trace.Case]*recording
	all   []trace.Case // that are planned, in order

	library  map[string]*scenarios.Scenario
	byFamily map[family][]trace.Case
	asWhole  map[family]bool // of those that are about no stream: whether they are played with whole answers, too
}

// family are the cases of a scenario under a profile.
type family struct{ scenario, profile string }

func newRecordings(recorded map[trace.Case]*recording, planned []trace.Case) (*recordings, error) {
	all := &recordings{tasks: map[trace.Case]*recording{}, all: planned, library: map[string]*scenarios.Scenario{}, byFamily: map[family][]trace.Case{}, asWhole: map[family]bool{}}
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		return nil, err
	}
	for _, s := range library {
		all.library[s.ID] = s
	}
	for _, c := range planned {
		of := family{c.Scenario, c.Profile}
		all.tasks[c] = recorded[c]
		all.byFamily[of] = append(all.byFamily[of], c)
		if c.Delivery == wire.DeliverJSON && !strings.HasPrefix(c.Scenario, "stream/") {
			all.asWhole[of] = true
		}
	}
	return all, nil
}

// recordInto plays what a config plans to the reference loop, and adds what passes.
func recordInto(t *testing.T, config runner.Config, to map[trace.Case]*recording) error {
	var mu sync.Mutex
	cases := map[string]trace.Case{} // by the id of the task
	config.Hooks.OnTask = func(c trace.Case, task protocol.Task) {
		mu.Lock()
		defer mu.Unlock()
		cases[task.ID] = c
	}
	report, err := play(t, config, func(ctx context.Context, task protocol.Task, world http.RoundTripper) protocol.Outcome {
		r := &recording{world: world, task: task}
		r.outcome = r.witness().CarryOut(ctx, r.asking(task), refloop.Loop{Backoff: time.Millisecond, Wait: r.wait}, r)
		r.brokenOff = r.brokenOff || ctx.Err() != nil
		mu.Lock()
		defer mu.Unlock()
		if c, planned := cases[task.ID]; planned {
			to[c] = r
		}
		return r.outcome
	})
	if err != nil {
		return err
	}
	if broken := failed(report); len(broken) > 0 {
		return fmt.Errorf("the reference loop breaks %s\n%s", strings.Join(broken, ", "), strings.Join(undeclared(report, nil), "\n"))
	}
	return nil
}

// families returns the families of cases in which a fault is looked for: first those that are about
// a rule which it declares, then the others in an order that is the same every time and another one
// for each fault.
func (all *recordings) families(p performance) []family {
	known := map[family]bool{}
	var about, others []family
	for _, c := range all.all {
		of, s := family{c.Scenario, c.Profile}, all.library[c.Scenario]
		if known[of] || !p.concerns(s) || !isWithin(s.ID) {
			continue
		}
		known[of] = true
		if slices.ContainsFunc(s.Rules, func(rule string) bool { return slices.Contains(p.Breaks, rule) }) {
			about = append(about, of)
		} else {
			others = append(others, of)
		}
	}
	places := map[family]uint64{}
	for _, of := range others {
		places[of] = of.place(p.Name)
	}
	slices.SortFunc(others, func(a, b family) int { return cmp.Compare(places[a], places[b]) })
	return append(about, others...)
}

func isWithin(scenario string) bool {
	ok, _ := doublestar.Match(*within, scenario)
	return ok || *within == ""
}

// place makes an order of families by chance that is the same every time.
func (f family) place(salt string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, salt+" "+f.scenario+" "+f.profile)
	return h.Sum64()
}

// affected returns the ids of the cases in which a fault changes anything, together with those that
// are compared with them: of so many families at most, looked for in the order given and in so many
// at most. It returns as well the families in which it did not look.
func (all *recordings) affected(t *testing.T, p performance, families []family, most, look int) (ids []string, left []family) {
	for left = families; most > 0; most-- {
		var of family
		if of, left = all.changed(t, p, left, &look); of == (family{}) {
			return ids, left
		}
		for _, c := range all.judged(p, of) {
			ids = append(ids, c.ID())
		}
	}
	return ids, left
}

// changed returns the first of some families in which a fault changes anything, none for none of
// them, and those in which it did not look. It counts down in how many it may look. A fault that
// changes when things happen shows in nothing that can be rehearsed, and counts as changing every
// case; one that sets the loop up otherwise is rehearsed so.
func (all *recordings) changed(t *testing.T, p performance, families []family, look *int) (found family, left []family) {
	c := p.Make()
	everywhere := c.Waits || c.Timing
	virtualtime.Run(t, func(*testing.T, *virtualtime.Network) {
		for i, of := range families {
			if *look == 0 {
				left = families[i:]
				return
			}
			*look--
			if everywhere || slices.ContainsFunc(all.judged(p, of), func(c trace.Case) bool { return all.changedIn(t, p, c) }) {
				found, left = of, families[i+1:]
				return
			}
		}
	})
	return found, left
}

// oneRehearsedIn says in how many cases one is rehearsed of which it is known without, when all is
// judged: other ones for each fault.
const oneRehearsedIn = 32

// changedIn reports whether a fault changes anything in a case. A rehearsal has to show what was seen
// without one: that is checked in a sample of the cases when all is judged, and in all of them with
// -kill-rehearse.
func (all *recordings) changedIn(t *testing.T, p performance, c trace.Case) bool {
	r := all.tasks[c]
	e := r.effectOf(p.Make())
	checks := *everyRehearsal || *extent == "all" && family{c.Scenario, string(c.Delivery)}.place(p.Name)%oneRehearsedIn == 0
	if e != mayChange && !checks {
		return e == changesIt
	}
	changed := r.rehearse(p.Fault)
	if e == changesIt && !changed || e == leavesAlone && changed && r.steady(p.Fault) {
		t.Errorf("%s: a rehearsal of %s shows %t, and what passes shows the opposite", p.Name, c.ID(), changed)
	}
	return changed
}

// steady reports whether a task comes out as it was recorded when nothing is changed at the places
// at which a fault gets in. One does not in which the loop makes up ids, or which says something
// alongside the payloads that a fault is shown.
func (r *recording) steady(f hooks.Fault) bool {
	nothing := thatChangeNothing(f.Make())
	f.Make = func() hooks.Mutation { return nothing }
	return !r.rehearse(f)
}

// judged returns the cases of a family in which a fault is judged.
func (all *recordings) judged(p performance, of family) []trace.Case {
	return slices.DeleteFunc(slices.Clone(all.byFamily[of]), func(c trace.Case) bool { return all.spares(p, c) })
}

// spares reports whether a fault need not be judged in a case, since it shows in another one of the
// same family.
func (all *recordings) spares(p performance, c trace.Case) bool {
	return c.Delivery != wire.DeliverJSON && all.asWhole[family{c.Scenario, c.Profile}] && p.onlySends()
}

// onlySends reports whether a fault changes nothing but requests. What it does then shows in whole
// answers as it does in streams, so that each scenario outside of that area is judged once.
func (p performance) onlySends() bool {
	c := p.Make()
	return c.OnlySends()
}

// patience is how long a rehearsal may take, which waits for nothing. One that takes longer hangs,
// since what it waits for came otherwise in the recording.
const patience = 2 * time.Second

// rehearse reports whether a fault changes anything in what was recorded, or may do so in what
// cannot be rehearsed.
func (r *recording) rehearse(f hooks.Fault) bool {
	changes := f.Make()
	// What it does when it goes on is another task; when a prompt comes, what a server of MCP said, and
	// in which order sub-agents ask, is not recorded.
	if r.task.Session != nil || r.task.Steering || r.task.MCPTools || r.delegates() {
		return true
	}
	if r.brokenOff && (changes.Loop != nil || changes.Hears() || changes.Tool != nil || changes.Around != nil || changes.Lost != nil || changes.Send != nil) {
		return true
	}
	replay := newReplay(r)
	task := r.task
	task.PromptContext = nil
	if task.Decide != nil {
		task.Decide = replay.decide
	}
	differs := make(chan bool, 1)
	go func() {
		defer func() {
			if recover() != nil { // some faults panic, which the suite takes for a crash
				differs <- true
			}
		}()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		outcome := replay.watch(changes).CarryOut(ctx, task, refloop.Loop{Backoff: time.Millisecond, Wait: replay.wait}, replay)
		differs <- ctx.Err() != nil || replay.differs() || !r.brokenOff && !same(f.Told(outcome), f.Told(r.outcome))
	}()
	select {
	case d := <-differs:
		return d
	case <-time.After(2 * patience):
		return true
	}
}

// delegates reports whether the task has sub-agents.
func (r *recording) delegates() bool {
	return slices.ContainsFunc(r.task.Tools, func(t protocol.Tool) bool { return t.Agent != nil })
}

// same reports whether two outcomes are, but for the times in their records and for the order of
// events: tools that run at the same time end in any order.
func same(a, b protocol.Outcome) bool {
	a.Transcript, b.Transcript = timeless(a.Transcript), timeless(b.Transcript)
	if !slices.Equal(sortedEvents(a.Events), sortedEvents(b.Events)) {
		return false
	}
	a.Events, b.Events = nil, nil
	return reflect.DeepEqual(a, b)
}

// sortedEvents returns the events of a record without their times, in an order of their own.
func sortedEvents(list json.RawMessage) []string {
	var all []string
	for _, e := range gjson.ParseBytes(timeless(list)).Array() {
		all = append(all, took.ReplaceAllString(e.Raw, ""))
	}
	slices.Sort(all)
	return all
}

// took is how long a tool ran.
var took = regexp.MustCompile(`"durationMs":[0-9]+`)
