package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// consequence is a rule that is broken only because another rule is broken.
type consequence struct {
	rule  string // its id
	level Level  // the highest one
	cases int    // in how many cases
}

// following returns the rules that are broken only as a consequence of a rule, those of the highest
// level first.
func (r *Report) following(cause string) []consequence {
	var all []consequence
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, id := range c.following(cause) {
			at := slices.IndexFunc(all, func(known consequence) bool { return known.rule == id })
			if at < 0 {
				at = len(all)
				all = append(all, consequence{rule: id, level: c.LevelOf(id)})
			}
			all[at].cases++
			if level := c.LevelOf(id); level.Outweighs(all[at].level) {
				all[at].level = level
			}
		}
	}
	slices.SortStableFunc(all, func(a, b consequence) int {
		if a.level != b.level {
			return slices.Index(levels, a.level) - slices.Index(levels, b.level)
		}
		return b.cases - a.cases
	})
	return all
}

// following returns the rules that are broken in a case only as a consequence of another one.
func (c *Case) following(cause string) []string {
	var ids []string
	for _, f := range c.Findings {
		if f.Because == cause && !slices.Contains(ids, f.Rule) && c.Because(f.Rule) != "" {
			ids = append(ids, f.Rule)
		}
	}
	return ids
}

// Because returns the rule whose violation caused that of another rule in the case, or "" if that
// rule is broken by itself or not at all.
func (c *Case) Because(rule string) string {
	because := ""
	for _, f := range c.Findings {
		if f.Rule != rule {
			continue
		}
		if f.Because == "" {
			return ""
		}
		because = f.Because
	}
	return because
}

// soAlso lists the consequences of a violation: "history/only-grows (must, 2 cases)".
func (r *Report) soAlso(cause string) string {
	var parts []string
	for _, c := range r.following(cause) {
		parts = append(parts, fmt.Sprintf("%s (%s, %s)", c.rule, c.level, textlayout.Count(c.cases, "case")))
	}
	return strings.Join(parts, ", ")
}

// consequences returns the rules that are broken only as consequences.
func (r *Report) consequences() []Rule {
	return slices.DeleteFunc(r.heaviestFirst(Failed), Rule.own)
}
