package casereport

import (
	"cmp"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Totals count what each rule says about all cases, by the id of the rule.
type Totals map[string]*total

// total is what a rule said so far.
type total struct {
	judged, failed int
	follows        int         // of those that failed, where the violation only follows from others
	level          trace.Level // the highest one at which the rule was judged
	failedAt       trace.Level // the highest one at which it failed by itself
	followsAt      trace.Level // the highest one at which it failed as a consequence
}

// Count counts the judgement of one case.
func (all Totals) Count(j rules.Judgement) {
	t := all[j.Rule.ID]
	if t == nil {
		t = &total{}
		all[j.Rule.ID] = t
	}
	t.level = trace.Heavier(t.level, j.Level)
	switch j.Verdict {
	case trace.Failed:
		t.failed++
		t.judged++
		if j.Follows() {
			t.follows++
			t.followsAt = trace.Heavier(t.followsAt, j.Level)
		} else {
			t.failedAt = trace.Heavier(t.failedAt, j.Level)
		}
	case trace.Passed:
		t.judged++
	}
}

// Judged returns in how many cases a rule was judged.
func (all Totals) Judged(rule string) int {
	if t := all[rule]; t != nil {
		return t.judged
	}
	return 0
}

// Broken returns how many rules failed at each level.
func (all Totals) Broken() map[trace.Level]int {
	n := map[trace.Level]int{}
	for _, t := range all {
		if t.failed > 0 {
			n[t.brokenAt()]++
		}
	}
	return n
}

// brokenAt returns the level at which the rule failed.
func (t *total) brokenAt() trace.Level { return cmp.Or(t.failedAt, t.followsAt) }

// Rule returns what a report says of a rule that the loop claims.
func (all Totals) Rule(rule *rules.Rule) report.Rule {
	r := report.Rule{ID: rule.ID, Level: rule.Level, Verdict: trace.Untested, Description: describe(rule)}
	t := all[rule.ID]
	if t == nil {
		return r
	}
	r.Cases, r.Failed, r.Follows = t.judged, t.failed, t.follows
	switch {
	case t.failed > 0:
		r.Verdict, r.Level = trace.Failed, t.brokenAt()
	case t.judged > 0:
		r.Verdict, r.Level = trace.Passed, t.level
	}
	return r
}

// describe says what a rule demands and where it comes from.
func describe(rule *rules.Rule) report.Description {
	d := report.Description{Text: rule.Text, Why: rule.Why, Evidence: rule.Evidence, Needs: rule.Needs, Sources: []report.Source{}}
	for _, s := range rule.Sources {
		d.Sources = append(d.Sources, report.Source{URL: s.URL, Says: s.Says, Dialects: documented(s.URL)})
	}
	return d
}

// documented returns the wire APIs that an address documents, none where it is no documentation of
// one.
func documented(url string) (names []string) {
	for _, d := range dialect.All() {
		if d.Documents(url) {
			names = append(names, d.Name)
		}
	}
	return names
}
