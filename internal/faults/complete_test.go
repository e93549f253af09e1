package faults

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// TestRulesAreComplete: every rule says what it demands, why, and who says so; a scenario gives it
// evidence; and a fault breaks it and no other one. It tells of each rule all that is missing, and
// where to add it.
func TestRulesAreComplete(t *testing.T) {
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	listed, alone := map[string]bool{}, map[string]bool{}
	for _, s := range library {
		for _, id := range s.Rules {
			listed[id] = true
		}
	}
	for _, f := range All() {
		for _, dialect := range f.Dialects() {
			if breaks := f.BreaksIn(dialect); len(breaks) == 1 {
				alone[breaks[0]] = true
			}
		}
	}
	for _, rule := range rulebook.Book() {
		if rule.Dialect != nil && rule.Dialect.Draft { // in which no fault is played
			continue
		}
		if missing := lacks(rule, listed[rule.ID], alone[rule.ID]); len(missing) > 0 {
			t.Errorf("the rule %s is not complete:\n  %s\nCONTRIBUTING.md, A rule, has the steps", rule.ID, strings.Join(missing, "\n  "))
		}
	}
}

// TestIncompleteRules: what a rule lacks is told with the place where it belongs.
func TestIncompleteRules(t *testing.T) {
	whole := rules.Rule{
		ID: "pairing/new", Level: trace.Must, Text: "A text.", Why: "A reason.", Evidence: "a call",
		Sources: []rules.Source{{URL: "https://example.com", Says: "so"}},
	}
	for _, c := range []struct {
		name          string
		change        func(*rules.Rule)
		listed, alone bool
		want          string
	}{
		{"whole", func(*rules.Rule) {}, true, true, ""},
		{"no level", func(r *rules.Rule) { r.Level = "" }, true, true, "Level: "},
		{"no sentence", func(r *rules.Rule) { r.Text = "a text" }, true, true, "Text: "},
		{"no reason", func(r *rules.Rule) { r.Why = "" }, true, true, "Why: "},
		{"no evidence", func(r *rules.Rule) { r.Evidence = "" }, true, true, "Evidence: "},
		{"no source", func(r *rules.Rule) { r.Sources = nil }, true, true, "Sources: "},
		{"a source that says nothing", func(r *rules.Rule) { r.Sources = []rules.Source{{URL: "https://example.com"}} }, true, true, "Sources: "},
		{"no scenario", func(*rules.Rule) {}, false, true, "a scenario: "},
		{"no fault", func(*rules.Rule) {}, true, false, "a fault: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			rule := whole
			c.change(&rule)
			got := strings.Join(lacks(&rule, c.listed, c.alone), "\n")
			if !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") || strings.Contains(got, "\n") {
				t.Errorf("it lacks %q, want %q", got, c.want)
			}
		})
	}
}

// lacks returns what a rule lacks, each with the place where it belongs.
func lacks(rule *rules.Rule, listed, alone bool) []string {
	var missing []string
	need := func(ok bool, format string, args ...any) {
		if !ok {
			missing = append(missing, fmt.Sprintf(format, args...))
		}
	}
	sentence := func(text string) bool { return strings.HasSuffix(text, ".") }
	area := rule.Area()
	where := "internal/rules/" + area
	if rule.Dialect != nil {
		where = "internal/dialect/" + rule.Dialect.Name + "/" + rule.Dialect.Name + "rules"
	}
	need(slices.Contains([]trace.Level{trace.Must, trace.Should, trace.Info}, rule.Level), "Level: trace.Must, trace.Should or trace.Info, at its value in %s", where)
	need(sentence(rule.Text), "Text: what a loop has to do, as a sentence, and not %q", rule.Text)
	need(sentence(rule.Why), "Why: what goes wrong otherwise, as a sentence, and not %q", rule.Why)
	need(rule.Evidence != "", "Evidence: what must have happened for the rule to be judged, in words that continue \"untested: needs\"")
	sourced := len(rule.Sources) > 0 && !slices.ContainsFunc(rule.Sources, func(s rules.Source) bool { return !strings.HasPrefix(s.URL, "https://") || s.Says == "" })
	folder := "internal/faults/" + area
	if rule.Dialect != nil {
		folder = "internal/faults/" + rule.Dialect.Name
	}
	need(sourced, "Sources: where the requirement is written, each with an https:// URL and what it Says, and not %+v", rule.Sources)
	need(listed, "a scenario: add %s to the `rules` of a file in scenarios/%s whose cases all give evidence for it, or write one", rule.ID, area)
	need(alone, "a fault: add a loop to %s that Breaks: []string{%q} and no other rule", folder, rule.ID)
	return missing
}
