package runner

import (
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/casereport"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// builder puts the report together, case by case.
type builder struct {
	config Config
	plan   *Plan
	cases  []report.Case
	totals casereport.Totals

	consequences consequences

	// unclaimed are the rules that were found to be about something else than the loop hands over.
	unclaimed map[string]bool

	// selects reports whether a case is judged by a rule; nil: by all that are in the plan.
	selects func(caseID, rule string) bool

	streams streamMismatch
	caches  map[string]*report.Cache // of each case

	untraced error // why an exchange could not be written
	traced   int   // bytes of exchanges that are noted

	start time.Time
}

func newBuilder(c Config, p *Plan) *builder {
	return &builder{config: c, plan: p, totals: casereport.Totals{}, consequences: consequences{}, unclaimed: map[string]bool{}, caches: map[string]*report.Cache{}, start: time.Now()}
}

// add judges a played case and notes what came out.
func (b *builder) add(one *played) report.Case {
	run := one.run
	shown := shownOf(run, one.got)
	for _, d := range run.Delegations {
		shown.Delegations = append(shown.Delegations, shownOf(d.Run, one.got))
	}
	c := shown.Case(run.Case.ID(), run.Case)
	c.DurationMS = one.took.Milliseconds()
	judgements := slices.DeleteFunc(one.judge(b.plan.claimsIn(run.Case)), func(j rules.Judgement) bool {
		return !b.plan.judges(j.Rule, run.Case) || b.selects != nil && !b.selects(c.ID, j.Rule.ID)
	})
	for i := range judgements {
		b.plan.number.CapLevels(&judgements[i])
	}
	b.consequences.explain(run.Case, judgements) // by what is selected, so that every cause is shown
	for _, j := range judgements {
		if j.Verdict == trace.Unclaimed {
			b.unclaimed[j.Rule.ID] = true
		}
		listed := slices.Contains(run.Script.Scenario.Rules, j.Rule.ID)
		if j.Verdict == trace.Untested && !listed || j.Verdict == trace.Unclaimed && !listed {
			continue // an invariant that had nothing to judge here
		}
		shown.Add(&c, j)
		b.totals.Count(j)
	}
	if len(c.Findings) > 0 || b.config.Trace != "" {
		c.Reproduce = b.config.Hooks.Reproduce(c.ID, b.config.Seed)
	}
	b.streams.add(run)
	b.caches[c.ID] = cacheOf(run, judgements)
	b.trace(&c, one)
	b.cases = append(b.cases, c)
	return c
}

// shownOf returns what a report shows of a run. got returns the bytes of an answer.
func shownOf(run *rules.Run, got func(number int) *report.TracedAnswer) casereport.Played {
	return casereport.Played{Profile: run.Script.Profile, Exchanges: run.Exchanges, Executions: run.Executions, Outcome: run.Outcome, Ending: run.Ending, Cancel: run.Cancel, Crash: run.Crash, Approvals: run.Approvals, Got: got}
}

// report returns the report of the cases so far; stopReason says why there are no more, if so.
func (b *builder) report(took time.Duration, stopReason string) *report.Report {
	r := &report.Report{
		Schema: report.Schema, Version: loopproof.Version, Rulebook: catalog.Fingerprint(), RulebookNumber: b.plan.number.String(), Seed: b.config.Seed,
		Started: b.start.UTC().Truncate(time.Millisecond), DurationMS: took.Milliseconds(),
		Loop:   report.Loop{Name: b.plan.Hello.Name, Version: b.plan.Hello.Version, Language: b.plan.Hello.Language},
		Claims: b.claims(),
		Cases:  b.inOrder(),
		Strict: b.config.Strict, Filtered: b.plan.narrowed(),
	}
	if b.plan.onlyLevels {
		r.OnlyLevels = b.plan.levels
	}
	places := b.addRules(r)
	if part := b.plan.part; part != nil {
		shard := *part
		shard.RulePlaces, r.Shard = places, &shard
	}
	if left := len(b.plan.Cases) - len(b.cases); stopReason != "" && left > 0 {
		r.Stopped = fmt.Sprintf("%s; the other %d cases were not played", stopReason, left)
	}
	for _, c := range r.Cases { // in their order, which decides the example
		r.Cache = r.Cache.Add(b.caches[c.ID])
	}
	r.Result = b.result(r, stopReason != "")
	r.Complete()
	return r
}

// inOrder returns the cases in the order of the plan, in which they were not judged.
func (b *builder) inOrder() []report.Case {
	place := make(map[string]int, len(b.plan.Cases))
	for i, c := range b.plan.Cases {
		place[c.ID()] = i
	}
	return slices.SortedStableFunc(slices.Values(b.cases), func(x, y report.Case) int { return place[x.ID] - place[y.ID] })
}

func (b *builder) claims() report.Claims {
	hello := b.plan.Hello
	c := report.Claims{
		Dialects: hello.Dialects, Features: []protocol.Feature{}, Unclaimed: []protocol.Feature{},
		Profiles: hello.Profiles, Deliveries: hello.Deliveries, EachOnce: b.config.EachOnce,
	}
	for _, f := range protocol.Features() {
		if b.plan.claims(f) {
			c.Features = append(c.Features, b.plan.claimed(f)...)
		} else {
			c.Unclaimed = append(c.Unclaimed, f)
		}
	}
	c.Designs = b.plan.Hello.Designs
	for _, d := range c.Designs {
		if f := claims.Excluded(d); f != "" {
			c.Unclaimed = append(c.Unclaimed, f)
		}
	}
	return c
}

// addRules adds to a report what each rule says, and returns the places of these rules in the
// rulebook.
func (b *builder) addRules(r *report.Report) (places []int) {
	r.Rules = []report.Rule{}
	for place, rule := range rulebook.Book() {
		expected := slices.Contains(b.plan.Expected, rule.ID)
		claimed := rule.Claimed(b.plan.claims) && !(b.unclaimed[rule.ID] && b.totals.Judged(rule.ID) == 0)
		if b.totals[rule.ID] == nil && !expected && claimed {
			continue // nothing that this loop claims is about the rule
		}
		if b.plan.rules != nil && !b.plan.rules[rule.ID] || b.plan.above(conformance.OfArea(rule.Area())) {
			continue
		}
		if !claimed && rule.Claimed(b.plan.claims) && !expected && b.plan.narrowed() {
			continue // what was selected is not about the rule; what was left out may be
		}
		summary := b.totals.Rule(rule)
		summary.Standing = string(b.plan.number.Standing(rule.ID))
		if !claimed {
			summary.Verdict, summary.Level = trace.Unclaimed, rule.Level
		}
		r.Rules, places = append(r.Rules, summary), append(places, place)
	}
	return places
}

func (b *builder) result(r *report.Report, stopped bool) report.Result {
	for _, rule := range r.Rules {
		fatal := rule.Level == trace.Must || b.config.Strict && rule.Level == trace.Should
		switch {
		case rule.Verdict == trace.Failed && fatal, stopped:
			return report.NotConformant
		case rule.Verdict == trace.Untested && fatal && b.plan.part == nil && slices.Contains(b.plan.Expected, rule.ID):
			return report.NotConformant
		}
	}
	if b.plan.Filtered {
		return report.Partial
	}
	return report.Conformant
}
