package main

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
)

// rule explains a rule.
func (b *book) rule(page *textlayout.Builder, rule *rules.Rule) {
	title(page, rule.ID, "rule", rule.Text)
	page.Item("why", rule.Why)
	page.Item("level", b.levels(rule))
	page.Item("judged", judged(rule))
	page.Item("evidence", rule.Evidence)
	page.Item("needs", list(rule.Needs))
	for _, c := range rulebook.Consequences(rule) {
		page.Item("caused by", c.From+", perhaps: "+c.Why)
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

// levels gives the level of the rule under each profile.
func (b *book) levels(rule *rules.Rule) string {
	var refusing, taking []string
	for _, p := range b.profiles {
		switch level := rule.LevelUnder(p); {
		case level == rule.Level:
		case level == trace.Must:
			refusing = append(refusing, p.Name)
		default:
			taking = append(taking, p.Name)
		}
	}
	text := string(rule.Level)
	if len(refusing) > 0 {
		text += ", but must under " + list(refusing) + ", where a violation is refused"
	}
	if rule.Level != trace.Must && len(rule.Quirks) > 0 {
		text += ", but must where the provider shows the quirk today and the loop loses a part of the answer and reports completed"
	}
	if len(taking) > 0 {
		text += ", but should under " + list(taking) + ", where a violation is taken"
	}
	return text
}

func judged(rule *rules.Rule) string {
	if rule.Invariant {
		return "in every run"
	}
	return "in the scenarios that test it"
}

// refusals lists how providers answer to a violation.
func (b *book) refusals(page *textlayout.Builder, rule *rules.Rule) {
	headed := false
	for _, p := range b.profiles {
		for _, refusal := range p.Refuses {
			if refusal.Rule != rule.ID {
				continue
			}
			if !headed {
				heading(page, "How providers answer to a violation")
				headed = true
			}
			answers := refusal.Answers()
			page.Item(p.Name, fmt.Sprintf("%d: %s", answers[0].Status, answers[0].Message))
			said(page, refusal)
		}
	}
}

// said adds the other wordings of a refusal, and how it is known.
func said(page *textlayout.Builder, refusal profiles.Refusal) {
	if where := refusal.Where(); where != "" {
		page.Item("only", "where "+where)
	}
	for _, other := range refusal.Answers()[1:] {
		page.Item("or", other.Message)
	}
	if refusal.Until != "" {
		page.Item("until", refusal.Until+"; the mock provider accepts it")
	}
	proof := known(refusal.Proof)
	if refusal.OurWords {
		proof += "; our own wording"
	}
	if refusal.InSequence {
		proof += "; it depends on earlier requests, so the mock provider accepts it"
	}
	page.Item("", proof)
}

// known describes the proof of a claim about a provider.
func known(p profiles.Proof) string {
	text := "(" + p.How()
	if len(p.Sources) > 0 {
		text += ": " + list(p.Sources)
	}
	if p.Seen != "" {
		text += "; seen " + p.Seen
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
	scenarioList(page, "Tested in", b.tests(rule))
	if shown := b.breaking(rule); len(shown) > 0 {
		scenarioList(page, "Can be broken in, though no evidence is there", shown)
	}
}

// breaking returns the scenarios that show violations of a rule without being evidence for it.
func (b *book) breaking(rule *rules.Rule) []*scenarios.Scenario {
	return slices.DeleteFunc(slices.Clone(b.scenarios), func(s *scenarios.Scenario) bool { return !slices.Contains(rule.BrokenIn, s.ID) })
}

func scenarioList(page *textlayout.Builder, title string, list []*scenarios.Scenario) {
	widest := 0
	for _, s := range list {
		widest = max(widest, textlayout.Length(s.ID))
	}
	heading(page, title)
	for _, s := range list {
		page.Line(2, fmt.Sprintf("%-*s  %s", widest, s.ID, s.Title))
	}
}
