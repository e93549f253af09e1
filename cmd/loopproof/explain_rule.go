package main

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
)

// rule explains a rule.
func (b *book) rule(page *textlayout.Builder, rule *rules.Rule) {
	title(page, rule.ID, "rule", rule.Text)
	page.Item("why", rule.Why)
	page.Item("level", b.levels(rule))
	page.Item("judged", judged(rule))
	page.Item("evidence", rule.Evidence)
	page.Item("needs", list(rule.Needs))
	for _, c := range rule.Consequences() {
		page.Item("may follow", "from "+c.From+": "+c.Why)
	}
	for i, source := range rule.Sources {
		label := ""
		if i == 0 {
			label = "sources"
		}
		page.Labelled(label, []string{source.URL, "  " + source.Says})
	}
	b.refusals(page, rule)
	b.testedIn(page, rule)
	b.sample(page, rule)
}

// levels says how much the rule weighs under each profile.
func (b *book) levels(rule *rules.Rule) string {
	var refusing []string
	for _, p := range b.profiles {
		if rule.LevelUnder(p) != rule.Level {
			refusing = append(refusing, p.Name)
		}
	}
	text := string(rule.Level)
	if len(refusing) > 0 {
		text += ", but must under " + list(refusing) + ", which refuse a breach"
	}
	return text
}

func judged(rule *rules.Rule) string {
	if rule.Invariant {
		return "in every run"
	}
	return "in the scenarios that test it"
}

// refusals says what providers answer to a breach.
func (b *book) refusals(page *textlayout.Builder, rule *rules.Rule) {
	headed := false
	for _, p := range b.profiles {
		for _, refusal := range p.Refuses {
			if refusal.Rule != rule.ID {
				continue
			}
			if !headed {
				heading(page, "Providers answer to a breach")
				headed = true
			}
			page.Item(p.Name, fmt.Sprintf("%d: %s", refusal.Status, refusal.Message))
			said(page, refusal)
		}
	}
}

// said says in which other words a provider refuses, and how that is known.
func said(page *textlayout.Builder, refusal profiles.Refusal) {
	if where := refusal.Where(); where != "" {
		page.Item("only", "where "+where)
	}
	for _, other := range refusal.Instead {
		page.Item("or", other.Message)
	}
	if refusal.Until != "" {
		page.Item("until", refusal.Until+"; the mock does not refuse it")
	}
	proof := known(refusal.Proof)
	if refusal.OurWords {
		proof += "; the words are ours"
	}
	if refusal.InSequence {
		proof += "; it goes by the requests before, so that the mock does not refuse it"
	}
	page.Item("", proof)
}

// known says how a claim about a provider is known.
func known(p profiles.Proof) string {
	text := "(" + p.How()
	if len(p.Sources) > 0 {
		text += ": " + list(p.Sources)
	}
	return text + ")"
}

// tests returns the scenarios that give evidence for a rule.
func (b *book) tests(rule *rules.Rule) []*scenarios.Scenario {
	return slices.DeleteFunc(slices.Clone(b.scenarios), func(s *scenarios.Scenario) bool {
		return !slices.Contains(s.Rules, rule.ID)
	})
}

func (b *book) testedIn(page *textlayout.Builder, rule *rules.Rule) {
	tests := b.tests(rule)
	widest := 0
	for _, s := range tests {
		widest = max(widest, textlayout.Length(s.ID))
	}
	heading(page, "Tested in")
	for _, s := range tests {
		page.Line(2, fmt.Sprintf("%-*s  %s", widest, s.ID, s.Title))
	}
}
