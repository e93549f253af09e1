package report

import "slices"

// Level says how much a violation of a rule matters.
type Level string

// The levels. A broken must makes a loop not conformant; a should does only on request; info never
// does.
const (
	Must   Level = "must"
	Should Level = "should"
	Info   Level = "info"
)

// levels are the levels of rules, the heaviest first.
var levels = []Level{Must, Should, Info}

// Outweighs reports whether a violation of this level matters more than one of another. Each level
// outweighs "".
func (l Level) Outweighs(other Level) bool { return l.weight() > other.weight() }

func (l Level) weight() int {
	if at := slices.Index(levels, l); at >= 0 {
		return len(levels) - at
	}
	return 0
}

// Verdict is the result of judging a loop by a rule, in one case or in all.
type Verdict string

// The verdicts. Untested: there was no evidence. Unclaimed: the loop does not claim what the rule
// is about.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Untested  Verdict = "untested"
	Unclaimed Verdict = "unclaimed"
)
