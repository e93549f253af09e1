package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/textlayout"
)

// example is the case that is shown for a broken rule.
type example struct {
	rule    Rule
	of      *Case
	finding *Finding
	more    int      // cases in which the rule is broken, besides this one
	cases   []string // the scenarios of all those cases, this one included
	also    string   // rules that are broken only as a consequence
	cause   string   // what the loop reported, as far as it is the same in other cases, or "" if there is nothing
	place   int      // among all, by level and by how often they are broken
}

// example chooses the simplest case in which a rule is broken. It prefers, in this order: the
// highest level, a plain delivery, a scenario of the rule's area, a provider that refuses the
// request, and a short scenario. It returns false if there is none, or all of them are expected.
func (r *Report) example(rule Rule, expected func(rule, caseID string) bool) (example, bool) {
	best, most := example{rule: rule, more: -1, also: r.soAlso(rule.ID)}, 0
	for i := range r.Cases {
		c := &r.Cases[i]
		f := c.first(rule.ID)
		if f == nil || expected != nil && expected(rule.ID, c.ID) || rule.own() && c.Because(rule.ID) != "" {
			continue
		}
		best.more++
		best.cases = append(best.cases, c.Scenario)
		if worth := worth(rule, c, f); best.of == nil || worth > most {
			most, best.of, best.finding = worth, c, f
		}
	}
	return best, best.of != nil
}

// worth rates how well a case shows a violation: first by its level, then by how plain it is.
func worth(rule Rule, c *Case, f *Finding) int {
	n := 0
	add := func(is bool, points int) {
		if is {
			n += points
		}
	}
	add(f.Level == rule.Level, 64)
	add(c.Delivery == "json", 32)
	add(c.Delivery == "sse", 16)
	add(conformance.Area(c.Scenario) == rule.Area(), 8)
	add(c.refusal(f) != nil, 4)
	add(slices.Contains(plainProfiles, c.Profile), 2)
	// Among equal ones the shorter one: a scenario with eight parallel calls takes long to read. An
	// answer of a few lines is short enough, so that one that says nothing is not preferred.
	return n*10_000 - min(9_999, max(shortAnswer, len(f.Answered))+len(f.Expected)+len(f.Actual)+len(f.Exhibit))
}

// shortAnswer is how long the sentence about an answer may be until a shorter one is easier to
// read, in bytes.
const shortAnswer = 300

// plainProfiles are the profiles of the best-known providers.
var plainProfiles = []string{"openai", "anthropic"}

// first returns the first finding of a rule, or nil. Findings that are not consequences come first.
func (c *Case) first(rule string) *Finding {
	var first *Finding
	for i := range c.Findings {
		switch f := &c.Findings[i]; {
		case f.Rule != rule:
		case f.Because == "":
			return f
		case first == nil:
			first = f
		}
	}
	return first
}

// refusal returns the provider's answer to this violation, or nil if it accepts it.
func (c *Case) refusal(f *Finding) *Answer {
	if a := c.ProviderAnswer; f.ProviderAnswer == nil && a != nil && a.Rule == f.Rule && a.Request == f.Request {
		return a
	}
	return f.ProviderAnswer
}

// where names the case, and the number of other cases in which the rule is broken.
func (e example) where() string {
	if e.more > 0 {
		return fmt.Sprintf("in %s, and %d more", e.of.ID, e.more)
	}
	return "in " + e.of.ID
}

// maxElsewhere is the maximum number of other scenarios that are named.
const maxElsewhere = 5

// elsewhere names the other scenarios in which the rule is broken, those with most cases first.
func (e example) elsewhere() string {
	counts := map[string]int{}
	var names []string
	for _, scenario := range e.cases {
		if scenario == e.of.Scenario {
			continue
		}
		if counts[scenario] == 0 {
			names = append(names, scenario)
		}
		counts[scenario]++
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	var parts []string
	for i, name := range names {
		if left := len(names) - i; i == maxElsewhere && left > 1 {
			parts = append(parts, fmt.Sprintf("and %d more scenarios", left))
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", name, textlayout.Count(counts[name], "case")))
	}
	return strings.Join(parts, ", ")
}

// provider returns which provider refuses the request for this violation, and with which status and
// message. It returns false if none does. The answer to another violation in the same request is
// not shown, since it would be misleading.
func (e example) provider() (who, said string, ok bool) {
	a := e.of.refusal(e.finding)
	if a == nil {
		return "", "", false
	}
	return e.of.provider(a), fmt.Sprintf("%d: %s", a.Status, a.Message), true
}

// provider returns the title and the name of a provider: "Mistral (mistral)".
func (c *Case) provider(a *Answer) string {
	if a.Provider == "" {
		return c.Profile
	}
	return a.Provider + " (" + c.Profile + ")"
}
