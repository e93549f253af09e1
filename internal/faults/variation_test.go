package faults

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// TestVariationsBreakNothing judges every variation in the cases in which it changes anything: a
// rule that it breaks, must or should, demands more than is owed. By default these are a sample of
// them, and all in every delivery with -kill-matrix all.
func TestVariationsBreakNothing(t *testing.T) {
	for _, v := range Variations() {
		for _, dialect := range v.Dialects() {
			if !judgedIn(dialect, v.Name, v.Dialects()) {
				continue
			}
			t.Run(v.Name+"@"+dialect, func(t *testing.T) {
				t.Parallel()
				if err := judgeVariation(t, v, dialect); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// By default a variation is judged in so many scenarios, and looked for in so many. When these do
// not show the shoulds that it declares, or nothing that it changes, it is looked for in all.
const (
	sampledForVariations  = 6
	searchedForVariations = 60
)

// judgeVariation demands that a variation breaks no rule but for the shoulds that it declares, and that it
// changes something.
func judgeVariation(t *testing.T, v hooks.Variation, dialect string) error {
	loop := v.Fault()
	loop.Breaks = v.Shoulds
	rehearsed, err := archived.of(t, performance{Fault: loop, dialect: dialect, profiles: []string{"**"}, features: slices.Concat(hooks.Claims, v.With)})
	if err != nil {
		return err
	}
	p := performance{Fault: loop, dialect: dialect, profiles: profilesIn(v.Profiles, dialect), features: v.Claims(), designs: v.Designs}
	for most, look := atMost(sampledForVariations), atMost(searchedForVariations); ; most, look = 4*most, math.MaxInt {
		cases, more, err := casesOf(t, v, p, rehearsed, most, look)
		if err != nil {
			return err
		}
		if len(cases) == 0 && more {
			continue
		}
		if len(cases) == 0 {
			return nil // in the scenarios to which the matrix is narrowed
		}
		r, err := p.play(t, cases)
		if err != nil {
			return err
		}
		if broken := demanded(r, v.Shoulds); len(broken) > 0 {
			return fmt.Errorf("%s\nbreaks %s\n%s", v.Does, strings.Join(broken, ", "), strings.Join(findings(r, broken), "\n"))
		}
		missing := slices.DeleteFunc(slices.Clone(loop.BreaksIn(dialect)), func(id string) bool { return slices.Contains(failed(r), id) })
		switch {
		case len(missing) == 0, *within != "":
			return nil
		case !more:
			return fmt.Errorf("%s\ndeclares %s, and does not break it", v.Does, strings.Join(missing, ", "))
		}
	}
}

// casesOf returns the ids of the cases in which a variation is judged, of so many scenarios at most
// that are looked for in so many at most, and whether there may be more. What it changes is
// rehearsed under the profiles at which the scenarios are at home. A sample is judged under one of
// the profiles whose providers take it, and all under each of them.
func casesOf(t *testing.T, v hooks.Variation, p performance, rehearsed *recordings, most, look int) (ids []string, more bool, err error) {
	planned, err := archived.planned(t.Context(), p)
	if err != nil {
		return nil, false, err
	}
	left := rehearsed.families(p)
	for most > 0 {
		var of family
		if of, left = rehearsed.changed(t, p, left, &look); of.scenario == "" {
			break
		}
		under := planned[of.scenario]
		if delete(planned, of.scenario); len(under) == 0 {
			continue
		}
		if most--; *extent != "all" {
			under = under[family{scenario: of.scenario}.place(v.Name)%uint64(len(under)):][:1]
		}
		for _, cases := range under {
			ids = append(ids, p.needed(cases)...)
		}
	}
	if len(ids) == 0 && len(left) == 0 && *within == "" {
		return nil, false, fmt.Errorf("%s\nchanges nothing in any case", v.Does)
	}
	return ids, len(left) > 0, nil
}

// planned returns the plan of all that a loop with the claims of a performance is played. It is the
// caller's to change.
func (a *archive) planned(ctx context.Context, p performance) (map[string][][]trace.Case, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := fmt.Sprint(p.dialect, p.features, p.designs, p.profiles)
	if _, made := a.plans[key]; !made {
		plan, err := p.planned(ctx)
		if err != nil {
			return nil, err
		}
		a.plans[key] = plan
	}
	return maps.Clone(a.plans[key]), nil
}

// planned returns all cases in which a loop with its claims is played, by scenario, and for each of
// them by profile.
func (p performance) planned(ctx context.Context) (map[string][][]trace.Case, error) {
	cases, err := p.plan(ctx, false)
	if err != nil {
		return nil, err
	}
	planned := map[string][][]trace.Case{}
	for i, c := range cases {
		if i == 0 || cases[i-1].Scenario != c.Scenario || cases[i-1].Profile != c.Profile {
			planned[c.Scenario] = append(planned[c.Scenario], nil)
		}
		last := &planned[c.Scenario][len(planned[c.Scenario])-1]
		*last = append(*last, c)
	}
	return planned, nil
}

// plan returns the cases in which a loop with its claims is played: all, or those of the short plan.
func (p performance) plan(ctx context.Context, quick bool) ([]trace.Case, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var plan *runner.Plan
	config := p.config()
	config.Select.Quick, config.Loop = quick, loops.Func(hooks.Fault{Make: func() hooks.Mutation { return hooks.Mutation{} }}.Run)
	config.Hooks.OnPlan = func(p runner.Plan) {
		plan = &p
		cancel()
	}
	if _, err := runner.Play(ctx, config); plan == nil {
		return nil, err
	}
	return plan.Cases, nil
}

// needed returns the ids of those cases of a scenario under a profile in which a variation is
// judged: whole answers will do for what only changes requests, and a sample leaves out how else
// streams may come.
func (p performance) needed(cases []trace.Case) []string {
	var whole, plain, all []string
	for _, c := range cases {
		switch c.Delivery {
		case wire.DeliverJSON:
			whole = append(whole, c.ID())
			plain = append(plain, c.ID())
		case wire.DeliverSSE:
			plain = append(plain, c.ID())
		}
		all = append(all, c.ID())
	}
	switch {
	case len(whole) > 0 && p.onlySends() && !strings.HasPrefix(cases[0].Scenario, "stream/"):
		return whole
	case len(plain) > 0 && *extent != "all":
		return plain
	}
	return all
}

// demanded returns the rules that are broken: all musts, and the shoulds that are not declared.
// Info rules do not count.
func demanded(r *report.Report, declared []string) []string {
	var ids []string
	for _, rule := range r.Rules {
		allowed := rule.Level == trace.Info || rule.Level == trace.Should && slices.Contains(declared, rule.ID)
		if rule.Verdict == trace.Failed && !allowed {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

// findings shows the first findings against some rules.
func findings(r *report.Report, ids []string) []string {
	var others []string
	for _, rule := range r.Rules {
		if !slices.Contains(ids, rule.ID) {
			others = append(others, rule.ID)
		}
	}
	return undeclared(r, others)
}

// profilesIn returns those of some patterns of profiles that are for a dialect, or the one for all.
func profilesIn(patterns []string, dialect string) []string {
	for _, p := range profiles.All() {
		if p.Dialect == dialect && takes(patterns, p.Name) {
			return patterns
		}
	}
	return []string{"**"}
}

func takes(patterns []string, profile string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return doublestar.MatchUnvalidated(p, profile) })
}

func TestVariationsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Variations() {
		if seen[v.Name] {
			t.Errorf("two variations are called %s", v.Name)
		}
		seen[v.Name] = true
		if (v.Make == nil) == (v.Form == "") {
			t.Errorf("%s: a variation has changes, or a form of the transcript", v.Name)
		}
		if !slices.ContainsFunc(Axes, func(a Axis) bool { return a.Name == v.Axis() }) {
			t.Errorf("%s: there is no axis %s", v.Name, v.Axis())
		}
		if !strings.HasSuffix(v.Does, ".") || len(v.Sources) == 0 {
			t.Errorf("%s: a variation says in a sentence what the loop does, and why that is right", v.Name)
		}
		for _, source := range v.Sources {
			if !strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "https://github.com/loopproof/") {
				t.Errorf("%s: the source %q is our own", v.Name, source)
			}
		}
		if (v.Only|v.Unless != 0) != strings.HasSuffix(v.Elsewhere, ".") || len(v.Dialects()) == 0 {
			t.Errorf("%s: a variation that is left out of a dialect says what is otherwise there, and no other", v.Name)
		}
		if (len(v.Shoulds) > 0) != (v.Why != "") {
			t.Errorf("%s: a variation that breaks a should says what it has for it", v.Name)
		}
		for _, id := range v.Shoulds {
			if rule := rulebook.Lookup(id); rule == nil || rule.Level == trace.Info { // of some musts there are violations that are shoulds
				t.Errorf("%s: %s is no rule that can be broken as a should", v.Name, id)
			}
		}
		for _, pattern := range v.Profiles {
			if !slices.ContainsFunc(profiles.All(), func(p *profiles.Profile) bool { return takes([]string{pattern}, p.Name) }) {
				t.Errorf("%s: no profile is called %s", v.Name, pattern)
			}
		}
	}
}
