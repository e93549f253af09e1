package report

import (
	"cmp"
	"io"
	"slices"

	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/sequence"
)

// WriteComparison writes a page that shows two reports side by side, such as those of two versions
// of a loop: the rules whose verdicts differ first, each with the exchanges of one case.
func WriteComparison(w io.Writer, before, after *Report) error {
	return page.Write(w, "compare.tmpl", compare(before, after))
}

// comparison is the data of the page.
type comparison struct {
	Before, After compared
	Differing     []comparedRule
	Same          []comparedRule // broken in both
	Agreeing      int            // rules with the same verdict, and broken in none
}

// compared is one of the two reports.
type compared struct {
	*Report
	Word, Why string
}

// comparedRule is a rule in both reports.
type comparedRule struct {
	Rule
	Before, After comparedSide
	Case          string // that is shown
}

// comparedSide is what came of a rule in one of them.
type comparedSide struct {
	Verdict Verdict // "": not in the report
	Failed  int
	Finding *Finding
	Picture *sequence.Diagram
}

func compare(before, after *Report) comparison {
	c := comparison{Before: before.compared(), After: after.compared()}
	for _, rule := range bothRules(before, after) {
		both := comparedRule{Rule: rule, Before: before.side(rule.ID), After: after.side(rule.ID)}
		switch {
		case both.Before.Verdict == both.After.Verdict && both.After.Verdict != Failed:
			c.Agreeing++
			continue
		case both.Before.Verdict == both.After.Verdict:
			both.show(before, after)
			c.Same = append(c.Same, both)
		default:
			both.show(before, after)
			c.Differing = append(c.Differing, both)
		}
	}
	for _, list := range [][]comparedRule{c.Differing, c.Same} {
		slices.SortStableFunc(list, func(a, b comparedRule) int {
			return cmp.Or(cmp.Compare(b.weight(), a.weight()), slices.Index(levels, a.Level)-slices.Index(levels, b.Level))
		})
	}
	return c
}

func (r *Report) compared() compared { return compared{r, r.word(), r.why()} }

// weight puts the rules first that one of the two breaks.
func (c comparedRule) weight() int {
	if c.Before.Verdict == Failed || c.After.Verdict == Failed {
		return 1
	}
	return 0
}

// bothRules returns the rules of both reports, in the order of the second one.
func bothRules(before, after *Report) []Rule {
	all := slices.Clone(after.Rules)
	for _, rule := range before.Rules {
		if !slices.ContainsFunc(all, func(r Rule) bool { return r.ID == rule.ID }) {
			all = append(all, rule)
		}
	}
	return all
}

func (r *Report) side(id string) comparedSide {
	at := slices.IndexFunc(r.Rules, func(rule Rule) bool { return rule.ID == id })
	if at < 0 {
		return comparedSide{}
	}
	return comparedSide{Verdict: r.Rules[at].Verdict, Failed: r.Rules[at].Failed}
}

// show chooses a case of which both reports have the exchange, if there is one, in which one of
// them breaks the rule; or else the best one of either.
func (c *comparedRule) show(before, after *Report) {
	id, most := "", -1
	for _, r := range []*Report{before, after} {
		other := after
		if r == after {
			other = before
		}
		for i := range r.Cases {
			of := &r.Cases[i]
			f := of.first(c.ID)
			if f == nil || of.Trace == nil {
				continue
			}
			worth := worth(c.Rule, of, f)
			if there := other.caseOf(of.ID); there != nil && there.Trace != nil {
				worth += 1 << 30
			}
			if worth > most {
				id, most = of.ID, worth
			}
		}
	}
	c.Case = id
	c.Before.draw(before.caseOf(id), c.ID)
	c.After.draw(after.caseOf(id), c.ID)
}

func (r *Report) caseOf(id string) *Case {
	at := slices.IndexFunc(r.Cases, func(c Case) bool { return c.ID == id })
	if at < 0 {
		return nil
	}
	return &r.Cases[at]
}

func (s *comparedSide) draw(c *Case, rule string) {
	if c == nil {
		return
	}
	s.Picture, s.Finding = c.picture(rule), c.first(rule)
}
