package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// Consequence is a rule that is broken only because another rule is broken.
type Consequence struct {
	Rule  string // the id of the rule
	Level Level  // the highest one
	Cases int    // in how many cases
}

// Following returns the rules that are broken only as a consequence of a rule, those of the highest level first.
func (r *Report) Following(cause string) []Consequence {
	var all []Consequence
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, id := range c.following(cause) {
			at := slices.IndexFunc(all, func(known Consequence) bool { return known.Rule == id })
			if at < 0 {
				at = len(all)
				all = append(all, Consequence{Rule: id, Level: c.LevelOf(id)})
			}
			all[at].Cases++
			if level := c.LevelOf(id); level.Outweighs(all[at].Level) {
				all[at].Level = level
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Consequence) int {
		if a.Level != b.Level {
			return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
		}
		return b.Cases - a.Cases
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

// Because returns the rule whose violation caused that of another rule in the case, or "" if that rule is broken by itself
// or not at all.
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
	for _, c := range r.Following(cause) {
		parts = append(parts, fmt.Sprintf("%s (%s, %s)", c.Rule, c.Level, textlayout.Count(c.Cases, "case")))
	}
	return strings.Join(parts, ", ")
}

// consequences returns the rules that are broken only as consequences.
func (r *Report) consequences() []Rule {
	return slices.DeleteFunc(r.heaviestFirst(Failed), Rule.Own)
}
