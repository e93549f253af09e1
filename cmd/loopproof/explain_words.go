package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// feature explains what a loop claims by a feature, and which rules judge it.
func (b *book) feature(page *textlayout.Builder, f protocol.Feature) {
	title(page, string(f), "feature", "A loop that claims it "+claims.Describe(f).Does+".")
	page.Item("claimed", "in the hello of an adapter, in Claims.Features of a Go test, or by --feature with --runner command")
	b.ruleList(page, "Rules", func(r *rules.Rule) bool { return slices.Contains(r.Needs, f) })
	n := 0
	for _, s := range b.scenarios {
		if slices.Contains(s.Needs, f) {
			n++
		}
	}
	page.Line(0, "")
	page.Item("adds", count(n, "scenario"))
}

// delivery explains how a delivery sends an answer.
func (b *book) delivery(page *textlayout.Builder, d wire.Delivery) {
	title(page, string(d), "delivery", "An answer is sent as "+deliveryText(d)+".")
	n := 0
	for _, c := range b.plan.Cases {
		if c.Delivery == d {
			n++
		}
	}
	page.Item("played in", count(n, "case"))
	if d.Streams() {
		page.Item("needs", string(protocol.Streaming))
	}
	for _, in := range b.dialects {
		if slices.Contains(in.Deliveries(), d) {
			page.Item("example", fmt.Sprintf("loopproof explain %s@%s/%s/%s", spoken, in.Name, in.Standard, d))
			return
		}
	}
	if at := slices.IndexFunc(b.profiles, func(p *profiles.Profile) bool { return slices.Contains(p.Deliveries(), d) }); at >= 0 {
		page.Item("example", fmt.Sprintf("loopproof explain %s@%s/%s/%s", spoken, b.profiles[at].Dialect, b.profiles[at].Name, d))
	}
}

// areas returns the areas of the rulebook.
func (b *book) areas() []string {
	var areas []string
	for _, r := range rulebook.Book() {
		if !slices.Contains(areas, r.Area()) {
			areas = append(areas, r.Area())
		}
	}
	return areas
}

// area lists the rules of an area.
func (b *book) area(page *textlayout.Builder, area string) {
	scenarios := slices.DeleteFunc(slices.Clone(b.scenarios), func(s *scenarios.Scenario) bool { return !strings.HasPrefix(s.ID, area+"/") })
	title(page, area, "area", "")
	page.Item("tested by", count(len(scenarios), "scenario"))
	b.ruleList(page, "Rules", func(r *rules.Rule) bool { return r.Area() == area })
	heading(page, "Scenarios")
	for _, s := range scenarios {
		page.Line(2, s.ID+"  "+page.Styled(textlayout.Faint, s.Title))
	}
}

func (b *book) ruleList(page *textlayout.Builder, head string, is func(*rules.Rule) bool) {
	heading(page, head)
	for _, r := range rulebook.Book() {
		if is(r) {
			page.Line(2, fmt.Sprintf("%-6s  %s", r.Level, r.ID))
			page.Text(10, r.Text, textlayout.Faint)
		}
	}
}
