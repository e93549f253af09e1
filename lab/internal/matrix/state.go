package matrix

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/report"
)

// State is what is published of a rule and a version of a loop.
type State string

// The states. Failures are published as broken only after a person has examined them.
const (
	Broken     State = "broken"
	Unexamined State = NotExamined
	Noted      State = "noted"
	Kept       State = "kept"
	Untested   State = "not tested"
	Unclaimed  State = "not claimed"
	NotApplied State = "does not apply"
	Unjudged   State = "not judged"
)

// stateInfo is how a state is shown.
type stateInfo struct {
	State State
	Class string // of the style
	Mark  string // in a cell of a table
	Means string
}

// states are all states, in the order in which they are listed.
var states = []stateInfo{
	{Broken, "broken", "✗", "the loop breaks the rule, and a person has examined whose fault it is"},
	{Unexamined, "unexamined", "?", "the rule failed, and nobody has examined yet whether the loop, a library or Loopproof is at fault"},
	{Noted, "noted", "i", "it behaves otherwise than the rule says; the rule is only for information"},
	{Kept, "kept", "✓", "the loop kept the rule in every case in which it was judged"},
	{Untested, "untested", "–", "no case gave evidence, so nothing is known"},
	{Unclaimed, "unclaimed", "·", "the loop does not claim, or does not use, what the rule is about"},
	{NotApplied, "other", "", "the rule is about an API or a provider that the loop does not use"},
	{Unjudged, "unjudged", "○", "the report is older than the rule"},
}

func (s State) info() stateInfo {
	return states[slices.IndexFunc(states, func(i stateInfo) bool { return i.State == s })]
}

// Class returns the class of the state in the style.
func (s State) Class() string { return s.info().Class }

// Mark returns the sign of the state in tables.
func (s State) Mark() string { return s.info().Mark }

// judgement is what a report says of a rule, and what a person found out.
type judgement struct {
	State    State
	Rule     report.Rule // the zero value: the report does not have it
	Verdict  Verdict
	Upstream []string // URLs of reports and repairs
}

// judgement returns what is published of a rule.
func (v *Version) judgement(rule *rules.Rule) judgement {
	at := slices.IndexFunc(v.Rules, func(r report.Rule) bool { return r.ID == rule.ID })
	if at >= 0 {
		return v.judged(v.Rules[at])
	}
	if v.implied()[rule.ID] {
		return judgement{State: Unjudged}
	}
	return judgement{State: NotApplied}
}

// implied are the rules for which the claims of the loop imply evidence today.
func (v *Version) implied() map[string]bool {
	if v.expected != nil {
		return v.expected
	}
	v.expected = map[string]bool{}
	if SameRulebook(v.Report) {
		return v.expected // all of them are in the report
	}
	plan, err := runner.Planned(v.Claims, true)
	if err != nil {
		return v.expected // the loop claims what there is no more
	}
	for _, id := range plan.Expected {
		v.expected[id] = true
	}
	return v.expected
}

// judged returns what is published of a rule of the report.
func (v *Version) judged(r report.Rule) judgement {
	j := judgement{Rule: r}
	switch r.Verdict {
	case report.Passed:
		j.State = Kept
	case report.Untested:
		j.State = Untested
	case report.Unclaimed:
		j.State = Unclaimed
	default:
		j.State, j.Verdict = Broken, v.verdict(r.ID)
		j.Upstream = v.loop.upstream(j.Verdict)
		if r.Level == report.Info {
			j.State = Noted
		} else if !j.Verdict.Examined() {
			j.State = Unexamined
		}
	}
	return j
}

// Level returns the level at which the rule was judged.
func (j judgement) Level() report.Level { return j.Rule.Level }

// Detail says in how many cases the rule was broken or kept.
func (j judgement) Detail() string {
	switch {
	case j.Rule.Failed > 0 && j.Rule.OwnCases() == 0:
		return fmt.Sprintf("in %d of %s, only as a consequence of other rules", j.Rule.Failed, textlayout.Count(j.Rule.Cases, "case"))
	case j.Rule.Failed > 0:
		return fmt.Sprintf("in %d of %s", j.Rule.Failed, textlayout.Count(j.Rule.Cases, "case"))
	case j.Rule.Cases > 0:
		return "in " + textlayout.Count(j.Rule.Cases, "case")
	default:
		return ""
	}
}

// tally counts the rules of a version by level and state.
type tally map[report.Level]map[State]int

func (v *Version) tally() tally {
	t := tally{report.Must: {}, report.Should: {}, report.Info: {}}
	for _, r := range v.Rules {
		t[r.Level][v.judged(r).State]++
	}
	return t
}

// Must returns the number of musts in a state.
func (t tally) Must(s State) int { return t[report.Must][s] }

// Should returns the number of shoulds in a state.
func (t tally) Should(s State) int { return t[report.Should][s] }

// upstream returns the reports and repairs that a verdict and its findings name.
func (f *LoopFile) upstream(v Verdict) []string {
	all := slices.Clone(v.Upstream)
	for _, id := range v.Findings {
		if one := f.finding(id); one != nil {
			all = append(all, one.Upstream...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
