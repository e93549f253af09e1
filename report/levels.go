package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/textlayout"
)

// LevelResult is the result of one level of conformance in one wire API. The levels are core,
// streaming, reasoning, resilience and long-running; docs/rules.md says what belongs to each.
type LevelResult struct {
	Level   string `json:"level"`   // the level
	Dialect string `json:"dialect"` // the wire API

	// Result is that of the musts of the level. Partial: none was broken, but not everything was
	// judged.
	Result Result `json:"result"`

	Broken   []string `json:"broken,omitempty"`   // its musts that are broken by themselves
	Untested []string `json:"untested,omitempty"` // its musts for which no case gave evidence
}

// Complete adds to a report whose rules and cases are there what follows from them: it sums up the
// levels, and removes exchanges that would make the report too large.
func (r *Report) Complete() {
	r.Levels = r.judgeLevels()
	r.boundTraces()
}

// judgeLevels returns the results of the levels of which any must was judged, in their order.
func (r *Report) judgeLevels() []LevelResult {
	if r.Requests || r.Filtered && len(r.OnlyLevels) == 0 { // what was left out may be broken
		return nil
	}
	musts, untested := map[string]bool{}, map[string]bool{}
	for _, rule := range r.Rules {
		musts[rule.ID] = rule.Level == Must
		untested[rule.ID] = rule.Level == Must && rule.Verdict == Untested
	}
	type place struct{ level, dialect string }
	found := map[place]*LevelResult{}
	for i := range r.Cases {
		c := &r.Cases[i]
		for rule, verdict := range c.Verdicts {
			at := place{conformance.Of(rule, c.Scenario, c.streamed()), c.Dialect}
			broken, missed := verdict == Failed && c.breaksMust(rule), verdict == Untested && untested[rule]
			if !broken && !missed && (verdict != Passed || !musts[rule]) {
				continue
			}
			if found[at] == nil {
				found[at] = &LevelResult{Level: at.level, Dialect: at.dialect}
			}
			switch l := found[at]; {
			case broken:
				l.Broken = append(l.Broken, rule)
			case missed:
				l.Untested = append(l.Untested, rule)
			}
		}
	}
	var all []LevelResult
	for _, level := range conformance.Levels() {
		for _, dialect := range r.Claims.Dialects {
			if l := found[place{level, dialect}]; l != nil {
				l.Broken, l.Untested = sorted(l.Broken), sorted(l.Untested)
				l.Result = r.resultOf(l)
				all = append(all, *l)
			}
		}
	}
	return all
}

func sorted(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

func (r *Report) resultOf(l *LevelResult) Result {
	switch {
	case len(l.Broken)+len(l.Untested) > 0:
		return NotConformant
	case r.Stopped != "", r.Shard != nil:
		return Partial
	default:
		return Conformant
	}
}

// streamed reports whether the answers of the case came as streams.
func (c *Case) streamed() bool { return c.Delivery != "json" }

// breaksMust reports whether the case broke a rule as a must, and not as a consequence alone.
func (c *Case) breaksMust(rule string) bool {
	return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Rule == rule && f.Level == Must && f.Because == "" })
}

// levelLine is what is said of a level.
type levelLine struct{ Level, Says string }

// levelLines say for each level in which wire APIs it is reached.
func (r *Report) levelLines() []levelLine {
	var lines []levelLine
	for _, level := range conformance.Levels() {
		by := map[Result][]string{}
		for _, l := range r.Levels {
			if l.Level != level {
				continue
			}
			name := l.Dialect
			if l.Result == NotConformant {
				name += " (" + l.why() + ")"
			}
			by[l.Result] = append(by[l.Result], name)
		}
		var parts []string
		for _, result := range []Result{Conformant, Partial, NotConformant} {
			if len(by[result]) > 0 {
				parts = append(parts, words[result]+" in "+strings.Join(by[result], ", "))
			}
		}
		if len(parts) > 0 {
			lines = append(lines, levelLine{level, strings.Join(parts, "; ")})
		}
	}
	return lines
}

// writeLevels names the levels that are reached, and says of the others where and why not.
func writeLevels(s *textlayout.Builder, r *Report) {
	if len(r.Levels) == 0 {
		return
	}
	reached := r.reached()
	if len(reached) == 0 {
		s.Item("levels", "none is reached")
	} else {
		s.Item("levels", strings.Join(reached, ", ")+" conformant")
	}
	for _, l := range r.levelLines() {
		if !slices.Contains(reached, l.Level) {
			s.Row(fmt.Sprintf("  %-12s  ", l.Level), l.Says)
		}
	}
}

// why counts what keeps a level from being reached.
func (l LevelResult) why() string {
	var parts []string
	if n := len(l.Broken); n > 0 {
		parts = append(parts, textlayout.Count(n, "must")+" broken")
	}
	if n := len(l.Untested); n > 0 {
		parts = append(parts, fmt.Sprintf("%d never tested", n))
	}
	return strings.Join(parts, ", ")
}

// reached returns the levels that a loop has reached in every wire API in which they were judged.
func (r *Report) reached() []string {
	var all []string
	for _, level := range conformance.Levels() {
		judged, failed := false, false
		for _, l := range r.Levels {
			judged = judged || l.Level == level
			failed = failed || l.Level == level && l.Result != Conformant
		}
		if judged && !failed {
			all = append(all, level)
		}
	}
	return all
}
