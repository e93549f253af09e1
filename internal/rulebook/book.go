// Package rulebook puts the rules together: those of all areas, and those about one dialect alone.
//
//	for _, j := range rulebook.Judge(run, claims) {
//		fmt.Println(j.Rule.ID, j.Verdict)
//		for _, f := range j.Findings {
//			fmt.Println("  request", f.Request, f.Pointer, f.Message)
//		}
//	}
package rulebook

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/dialect/dialectrules"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/approvals"
	"github.com/loopproof/loopproof/internal/rules/arguments"
	"github.com/loopproof/loopproof/internal/rules/cancel"
	"github.com/loopproof/loopproof/internal/rules/compaction"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/rules/execution"
	"github.com/loopproof/loopproof/internal/rules/failure"
	"github.com/loopproof/loopproof/internal/rules/finish"
	"github.com/loopproof/loopproof/internal/rules/history"
	"github.com/loopproof/loopproof/internal/rules/images"
	"github.com/loopproof/loopproof/internal/rules/limits"
	"github.com/loopproof/loopproof/internal/rules/mcp"
	"github.com/loopproof/loopproof/internal/rules/models"
	"github.com/loopproof/loopproof/internal/rules/outcome"
	"github.com/loopproof/loopproof/internal/rules/pairing"
	"github.com/loopproof/loopproof/internal/rules/programs"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/rules/record"
	"github.com/loopproof/loopproof/internal/rules/retry"
	"github.com/loopproof/loopproof/internal/rules/sessions"
	"github.com/loopproof/loopproof/internal/rules/sockets"
	"github.com/loopproof/loopproof/internal/rules/steering"
	"github.com/loopproof/loopproof/internal/rules/stream"
	"github.com/loopproof/loopproof/internal/rules/sub-agents"
	"github.com/loopproof/loopproof/internal/suggest"
)

// area is an area of the book.
type area struct {
	rules []rules.Rule

	// providersDiffer says that what comes of its rules may differ between a provider and one that
	// is like it: they are about what providers refuse of a request, want of reasoning and images,
	// or stream.
	providersDiffer bool
}

func (a area) name() string { return a.rules[0].Area() }

// areas returns the areas with their rules about all dialects, in the order of the book.
func areas() []area {
	return []area{
		{rules: pairing.Rules, providersDiffer: true},
		{rules: history.Rules},
		{rules: egress.Rules, providersDiffer: true},
		{rules: arguments.Rules},
		{rules: execution.Rules},
		{rules: approvals.Rules},
		{rules: sessions.Rules},
		{rules: steering.Rules},
		{rules: programs.Rules},
		{rules: models.Rules, providersDiffer: true},
		{rules: mcp.Rules},
		{rules: subagents.Rules},
		{rules: sockets.Rules},
		{rules: images.Rules, providersDiffer: true},
		{rules: reasoning.Rules, providersDiffer: true},
		{rules: stream.Rules, providersDiffer: true},
		{rules: finish.Rules},
		{rules: failure.Rules},
		{rules: retry.Rules},
		{rules: limits.Rules},
		{rules: compaction.Rules},
		{rules: cancel.Rules},
		{rules: outcome.Rules},
		{rules: record.Rules},
	}
}

// ProvidersDiffer reports whether what comes of the rules of an area may differ between a provider
// and one that is like it. There may be no such area.
func ProvidersDiffer(name string) bool {
	return slices.ContainsFunc(areas(), func(a area) bool { return a.providersDiffer && a.name() == name })
}

// book is put together once; rules are never changed. Each area begins with the rules about all
// dialects.
var book = sync.OnceValue(func() []*rules.Rule {
	var all []*rules.Rule
	ofDialects := dialectrules.All()
	for _, area := range areas() {
		name := area.name()
		all = appendArea(all, name, area.rules)
		for _, dialect := range ofDialects {
			all = appendArea(all, name, dialect)
		}
	}
	return all
})

// appendArea appends those of some rules that are of an area.
func appendArea(all []*rules.Rule, area string, some []rules.Rule) []*rules.Rule {
	for i := range some {
		if some[i].Area() == area {
			all = append(all, &some[i])
		}
	}
	return all
}

var byID = sync.OnceValue(func() map[string]*numbered {
	m := map[string]*numbered{}
	for place, r := range book() {
		m[r.ID] = &numbered{r, place}
	}
	return m
})

// Book returns all rules, area by area.
func Book() []*rules.Rule { return book() }

// Lookup returns the rule of an id, or nil.
func Lookup(id string) *rules.Rule {
	if r := byID()[id]; r != nil {
		return r.Rule
	}
	return nil
}

// IDs returns the ids of all rules, in the order of the book.
func IDs() []string {
	ids := make([]string, len(book()))
	for i, r := range book() {
		ids[i] = r.ID
	}
	return ids
}

// CheckProfile reports what a profile says of rules that do not exist, or that cannot refuse a
// request, and which variables its words use that the rule does not offer.
func CheckProfile(p *profiles.Profile) error {
	var errs []error
	for i, id := range p.ContradictsOthers {
		if Lookup(id) == nil {
			errs = append(errs, p.Errorf(fmt.Sprintf("/contradicts-others/%d", i), "unknown rule %q%s", id, suggest.Hint(id, IDs())))
		}
	}
	for i, id := range p.Takes {
		if Lookup(id) == nil {
			errs = append(errs, p.Errorf(fmt.Sprintf("/takes/%d", i), "unknown rule %q%s", id, suggest.Hint(id, IDs())))
		}
	}
	for _, refusal := range p.Refuses {
		at, rule := refusal.Place, Lookup(refusal.Rule)
		switch {
		case rule == nil:
			errs = append(errs, p.Errorf(at+"/rule", "unknown rule %q%s", refusal.Rule, suggest.Hint(refusal.Rule, IDs())))
			continue
		case !rule.In(p.Speaks):
			errs = append(errs, p.Errorf(at+"/rule", "the rule %s is not about the dialect %s", refusal.Rule, p.Dialect))
		case rule.Refuser() == nil && !refusal.InSequence:
			errs = append(errs, p.Errorf(at+"/rule", "a provider cannot see a violation of %s in a request; where it compares requests, say in-sequence: true", refusal.Rule))
		}
		errs = append(errs, checkVariables(p, at+"/message", rule, refusal.Variables()), checkVariables(p, at+"/only", rule, refusal.Described()))
		errs = append(errs, checkUsualWords(p, rule, refusal))
		for i, other := range refusal.Instead {
			here := fmt.Sprintf("%s/instead/%d", at, i)
			errs = append(errs, checkVariables(p, here+"/message", rule, other.Variables()), checkVariables(p, here+"/when", rule, slices.Sorted(maps.Keys(other.When))))
		}
	}
	return errors.Join(append(errs, checkFormWords(p))...)
}

// checkUsualWords reports a refusal without words of its own for which the profile's words about
// forms do not do: each violation has to have some.
func checkUsualWords(p *profiles.Profile, rule *rules.Rule, refusal profiles.Refusal) error {
	if refusal.Message != "" {
		return nil
	}
	keywords := breaks(p, rule)
	if len(keywords) == 0 {
		return p.Errorf(refusal.Place, "the refusal of %s needs a message: the words of errors/form are those of rules about the form of requests", rule.ID)
	}
	var errs []error
	for _, keyword := range refusal.Unworded(keywords) {
		errs = append(errs, p.Errorf(refusal.Place, "%s breaks %s, for which neither the refusal nor errors/form has words: add an entry with `when: {breaks: %s}`", rule.ID, keyword, keyword))
	}
	return errors.Join(errs...)
}

// breaks returns the keywords of the form of a profile's requests whose breach is one of a rule.
func breaks(p *profiles.Profile, rule *rules.Rule) []string {
	if p.Speaks.Form == nil {
		return nil
	}
	return p.Speaks.Form().Breaks(rule.ID)
}

// checkFormWords reports variables in the profile's words about forms that a rule does not offer
// which has these words: each entry once, by the first such rule.
func checkFormWords(p *profiles.Profile) error {
	var errs []error
	for i, words := range p.Errors.Form {
		at := fmt.Sprintf("/errors/form/%d", i)
		for _, refusal := range p.Refuses {
			rule := Lookup(refusal.Rule)
			if rule == nil || refusal.Message != "" || !slices.Contains(breaks(p, rule), words.When["breaks"]) {
				continue
			}
			err := errors.Join(checkVariables(p, at+"/message", rule, words.Variables()), checkVariables(p, at+"/when", rule, slices.Sorted(maps.Keys(words.When))))
			if err != nil {
				errs = append(errs, err)
				break
			}
		}
	}
	return errors.Join(errs...)
}

// checkVariables reports variables in a profile that a rule does not offer.
func checkVariables(p *profiles.Profile, at string, rule *rules.Rule, variables []string) error {
	var errs []error
	for _, v := range variables {
		if !slices.Contains(rule.Vars, v) {
			errs = append(errs, p.Errorf(at, "unknown variable {%s}%s; %s offers %s", v, suggest.Hint(v, rule.Vars), rule.ID, cmp.Or(strings.Join(rule.Vars, ", "), "none")))
		}
	}
	return errors.Join(errs...)
}
