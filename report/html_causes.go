package report

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/page"
)

// htmlCause is a reason why rules are broken. Those that probably have one reason are together.
type htmlCause struct {
	Says     string // "": there is but one rule
	Failures []htmlFailure
	cases    map[string]bool // in which the first of them is broken
	key      string
}

// Causes returns the broken rules, by what seems to be their cause: the loop itself reported the
// same error, or they are broken in the same cases.
func (p htmlPage) Causes() []*htmlCause {
	var all []*htmlCause
	for _, e := range p.failures(nil) {
		cases := p.ownCases(e.rule.ID)
		at := slices.IndexFunc(all, func(c *htmlCause) bool {
			return e.cause != "" && e.cause == c.key || e.cause == "" && c.key == "" && alike(cases, c.cases)
		})
		if at < 0 {
			at = len(all)
			all = append(all, &htmlCause{key: e.cause, cases: cases})
		}
		c := all[at]
		f := p.failure(e)
		f.First = len(c.Failures) == 0
		c.Failures = append(c.Failures, f)
		if n := len(c.Failures); n > 1 && e.cause != "" {
			c.Says = fmt.Sprintf("%d with the same error: %s", n, e.finding.Reported)
		} else if n > 1 {
			c.Says = fmt.Sprintf("%d in the same %ss, so probably of one cause", n, p.Noun())
		}
	}
	return all
}

// AnyBroken reports whether any rule is broken.
func (p htmlPage) AnyBroken() bool { return len(p.failures(nil)) > 0 }

// ownCases returns the cases in which a rule is broken, and not as a consequence.
func (p htmlPage) ownCases(rule string) map[string]bool {
	cases := map[string]bool{}
	for i := range p.Cases {
		if c := &p.Cases[i]; c.first(rule) != nil && c.Because(rule) == "" {
			cases[c.ID] = true
		}
	}
	return cases
}

// alike reports whether two sets of cases are nearly the same. Single cases say nothing.
func alike(a, b map[string]bool) bool {
	both := 0
	for id := range a {
		if b[id] {
			both++
		}
	}
	return both > 1 && 10*both >= 9*(len(a)+len(b)-both)
}

// Bars returns the verdicts of each area of which anything is claimed.
func (p htmlPage) Bars() []page.Bar {
	var bars []page.Bar
	for _, a := range p.Areas() {
		if !slices.ContainsFunc(a.Rules, func(r Rule) bool { return r.Verdict != Unclaimed }) {
			continue // the features that are not claimed are named below
		}
		parts := []page.BarPart{
			{Class: "failed", Says: "broken musts"}, {Class: "mild", Says: "broken shoulds"}, {Class: "noted", Says: "noted or as a result"},
			{Class: "passed", Says: "passed"}, {Class: "untested", Says: "untested"}, {Class: "unclaimed", Says: "unclaimed"},
		}
		for _, rule := range a.Rules {
			parts[barPart(rule)].Count++
		}
		bars = append(bars, page.Bar{Name: a.Name, URL: "#area-" + a.Name, Parts: parts})
	}
	return page.Scale(bars)
}

// barPart is the part of a bar that counts a rule.
func barPart(rule Rule) int {
	switch {
	case rule.Verdict == Passed:
		return 3
	case rule.Verdict == Untested:
		return 4
	case rule.Verdict == Unclaimed:
		return 5
	case rule.own() && rule.Level == Must:
		return 0
	case rule.own() && rule.Level == Should:
		return 1
	default:
		return 2
	}
}

// htmlLevel is a level of conformance with its result in each wire API.
type htmlLevel struct {
	Name  string
	Cells []htmlLevelCell
}

type htmlLevelCell struct {
	Result Result // "": nothing was judged
	Says   string
}

// LevelTable returns the results of the levels, and the wire APIs that are its columns.
func (p htmlPage) LevelTable() (t struct {
	Dialects []string
	Levels   []htmlLevel
}) {
	for _, l := range p.Levels {
		if !slices.Contains(t.Dialects, l.Dialect) {
			t.Dialects = append(t.Dialects, l.Dialect)
		}
	}
	for _, level := range conformance.Levels() {
		row := htmlLevel{Name: level, Cells: make([]htmlLevelCell, len(t.Dialects))}
		judged := false
		for _, l := range p.Levels {
			if l.Level != level {
				continue
			}
			judged = true
			cell := htmlLevelCell{Result: l.Result, Says: words[l.Result]}
			if l.Result == NotConformant {
				cell.Says = l.why()
			}
			row.Cells[slices.Index(t.Dialects, l.Dialect)] = cell
		}
		if judged {
			t.Levels = append(t.Levels, row)
		}
	}
	return t
}
