package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// dialect explains a wire API: where clients find it, which providers speak it, and which rules are
// about it alone.
func (b *book) dialect(page *textlayout.Builder, d *wire.Dialect) {
	title(page, d.Name, "dialect", "The wire API "+d.Title+".")
	if d.Draft {
		page.Item("draft", "it is served, and played where it or a profile of it is named; it is not yet proved to be complete")
	}
	page.Item("path", d.Endpoint.Path())
	page.Item("streams", d.Frames().Title)
	page.Item("variables", d.Endpoint.URLVariable()+" and "+d.Endpoint.KeyVariable()+", in which official SDKs look for the URL and the key")
	page.Item("claimed", "in the hello of an adapter, in Claims.Dialects of a Go test; with --runner command, it is chosen by --dialect")
	var names []string
	for _, p := range b.profiles {
		if p.Dialect == d.Name {
			names = append(names, p.Name)
		}
	}
	page.Item("profiles", strings.Join(names, ", "))
	played := map[string]bool{}
	n := 0
	for _, c := range b.plan.Cases {
		if c.Dialect == d.Name {
			played[c.Scenario] = true
			n++
		}
	}
	page.Item("played in", count(n, "case")+" of "+count(len(played), "scenario"))
	if d.Draft {
		b.lacks(page, d, played)
	}
	b.ruleList(page, "Rules about it alone", func(r *rules.Rule) bool { return r.Dialect != nil && r.Dialect.Name == d.Name && len(r.Also) == 0 })
	b.ruleList(page, "Rules that it shares with few others", func(r *rules.Rule) bool { return len(r.Also) > 0 && r.In(d) })
}

// design explains a documented way in which loops differ from most, and what follows from a claim
// of it.
func (b *book) design(page *textlayout.Builder, d protocol.Design) {
	title(page, string(d), "design", "A loop of this design "+designText(d)+".")
	page.Item("claimed", "in designs of the hello of an adapter, in Claims.Designs of a Go test, or by --design with --runner command; only if the documentation of the loop describes it")
	page.Item("so", designEffect(d))
	if lacks := claims.Excluded(d); lacks != "" {
		b.ruleList(page, "Rules by which it is not judged", func(r *rules.Rule) bool { return slices.Contains(r.Needs, lacks) })
	}
}

// comparison explains what loopproof fuzz finds by comparing a loop with itself.
func comparison(page *textlayout.Builder, id, text string) {
	title(page, id, "comparison", text)
	page.Item("why", "What a loop does depends on the conversation alone, and not on how the answers reach it.")
	page.Item("level", "must")
	page.Item("judged", "by loopproof fuzz alone, which plays the conversation in several ways; runs that break a rule are not compared, and loopproof run compares nothing")
	page.Command("replay", "loopproof fuzz --seed SEED --conversation NUMBER -- COMMAND")
}

// agent explains the description of a coding agent.
func (b *book) agent(page *textlayout.Builder, d *agents.Description) {
	title(page, d.ID, "agent", cmp.Or(d.About, d.Name+"."))
	page.Item("name", d.Name)
	page.Item("docs", d.Docs)
	page.Item("install", d.Install)
	page.Item("dialect", d.Dialect)
	page.Item("profiles", strings.Join(d.Profiles, ", "))
	page.Item("deliveries", strings.Join(d.Deliveries, ", "))
	page.Item("claims", strings.Join(wire.Words(d.Claims), ", "))
	if len(d.Command) > 0 {
		page.Command("started as", quoted(d.Command))
	}
	if len(d.Next) > 0 {
		page.Command("next as", quoted(d.Next))
	}
	if d.ACP != nil {
		page.Command("over ACP as", quoted(d.ACP.Command))
	}
	page.Item("tools", d.Tools.None)
	page.Line(0, "")
	if len(d.Command) > 0 {
		page.Command("judge it", fmt.Sprintf("loopproof run --runner agent --agent %s", d.ID))
	}
	if d.ACP != nil {
		page.Command("over ACP", fmt.Sprintf("loopproof run --runner acp --agent %s", d.ID))
	}
}
