package report

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/rules"
)

// example is the case by which a broken rule is described.
type example struct {
	rule    string
	level   rules.Level
	of      *Case
	finding *Finding
	more    int // cases in which the rule is broken, besides this one
}

// example chooses the case that shows best how a rule is broken: one in which the breach weighs most, from the rule's
// own area, where the provider has something to say to it, delivered as plainly as can be, and quickly read. It is
// false when there is none, or all of them are expected.
func (r *Report) example(rule Rule, expected func(rule, caseID string) bool) (example, bool) {
	best, most := example{rule: rule.ID, level: rule.Level, more: -1}, 0
	for i := range r.Cases {
		c := &r.Cases[i]
		f := c.first(rule.ID)
		if f == nil || expected != nil && expected(rule.ID, c.ID) {
			continue
		}
		best.more++
		if worth := worth(rule, c, f); best.of == nil || worth > most {
			most, best.of, best.finding = worth, c, f
		}
	}
	return best, best.of != nil
}

func worth(rule Rule, c *Case, f *Finding) int {
	n := 0
	if c.level(f) == rule.Level {
		n += 16
	}
	if strings.HasPrefix(c.Scenario, area(rule.ID)+"/") {
		n += 8
	}
	if c.answers(f) {
		n += 4
	}
	switch c.Delivery {
	case "json":
		n += 2
	case "sse":
		n++
	}
	n *= 2
	if c.Profile == "openai" { // whose words everybody knows
		n++
	}
	// Of the same worth, the shorter one: a scenario with eight parallel calls takes long to read.
	return n*10_000 - min(9_999, len(f.Answered)+len(f.Expected)+len(f.Actual)+len(f.Exhibit))
}

// area returns the first part of a rule's id, which also names the scenarios that were written for it.
func area(id string) string {
	first, _, _ := strings.Cut(id, "/")
	return first
}

// first returns the first finding of a rule, or nil.
func (c *Case) first(rule string) *Finding {
	for i := range c.Findings {
		if c.Findings[i].Rule == rule {
			return &c.Findings[i]
		}
	}
	return nil
}

// answers reports whether the provider's answer is one to the request that a finding is about.
func (c *Case) answers(f *Finding) bool {
	a := c.ProviderAnswer
	return a != nil && (a.Rule == f.Rule || a.Request != 0 && a.Request == f.Request)
}

// where says in which case the rule is broken, and in how many besides.
func (e example) where() string {
	if e.more > 0 {
		return fmt.Sprintf("in %s, and %d more", e.of.ID, e.more)
	}
	return "in " + e.of.ID
}

// provider returns who refuses the request and with which status and words. It is false when nobody does.
func (e example) provider() (who, said string, ok bool) {
	who = e.of.Profile
	p, err := profiles.Get(e.of.Profile)
	if err == nil {
		who = p.Title
	}
	if a := e.of.ProviderAnswer; e.of.answers(e.finding) {
		said = fmt.Sprintf("%d: %s", a.Status, a.Message)
		if a.Rule != e.rule && a.Rule != "" {
			said += " (for " + a.Rule + ")"
		}
		return who, said, true
	}
	if err != nil {
		return who, "", false
	}
	refusal, ok := p.Refusal(e.rule)
	return who, fmt.Sprintf("%d: %s", refusal.Status, refusal.Message), ok
}
