package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/report"
)

// rulesPage is the list of all rules.
type rulesPage struct {
	frame
	Areas []ruleArea
}

// ruleArea are the rules of an area with how many loops keep them.
type ruleArea struct {
	Name, URL string
	Rules     []ruleSum
}

// ruleSum is a rule with the number of loops in each state.
type ruleSum struct {
	ID, URL, Text            string
	Level                    report.Level
	Broken, Unexamined, Kept int
}

// rulePage is the page of a rule.
type rulePage struct {
	frame
	Rule     *rules.Rule
	AreaURL  string
	Needs    string
	Sources  []page.Source
	Groups   []loopGroup
	Refusals []refusal
}

// loopGroup are the loops with the same state.
type loopGroup struct {
	stateInfo
	Loops []ruleCell
}

// refusal is how a provider answers to a violation of a rule.
type refusal struct {
	Provider, ProviderURL string
	Rule, RuleURL         string
	Status                int
	Message               string
	Only                  string
	Note                  string
	How                   string // it is known
	Sources               []page.Source
}

// rules renders the list of all rules, and the page of each.
func (b *builder) rules() {
	list := rulesPage{frame: newFrame("rules.html", "rules", "The rules")}
	for _, area := range areas() {
		group := ruleArea{Name: area, URL: areaFile(area)}
		for _, rule := range rulesOf(area) {
			groups := b.rule(rule)
			sum := ruleSum{ID: rule.ID, URL: ruleFile(rule.ID), Text: rule.Text, Level: rule.Level}
			for _, g := range groups {
				switch g.State {
				case Broken:
					sum.Broken = len(g.Loops)
				case Unexamined:
					sum.Unexamined = len(g.Loops)
				case Kept:
					sum.Kept = len(g.Loops)
				}
			}
			group.Rules = append(group.Rules, sum)
		}
		list.Areas = append(list.Areas, group)
	}
	b.add("rules.html", "site-rules.tmpl", list)
}

// rule renders the page of a rule, and returns the loops by state.
func (b *builder) rule(rule *rules.Rule) []loopGroup {
	file := ruleFile(rule.ID)
	p := rulePage{frame: newFrame(file, "rules", rule.ID), Rule: rule, Needs: features(rule.Needs)}
	p.AreaURL = p.Root + areaFile(rule.Area())
	for _, s := range rule.Sources {
		p.Sources = append(p.Sources, page.Source{URL: s.URL, Says: s.Says})
	}
	columns := b.columns(p.Root)
	row := b.ruleRow(rule, p.Root, columns)
	for _, s := range states {
		group := loopGroup{stateInfo: s}
		for _, cell := range row.Cells {
			if cell.State == s.State {
				group.Loops = append(group.Loops, cell)
			}
		}
		if len(group.Loops) > 0 {
			p.Groups = append(p.Groups, group)
		}
	}
	for _, profile := range b.profiles {
		for _, r := range profile.Refuses {
			if r.Rule == rule.ID {
				p.Refusals = append(p.Refusals, refusalOf(profile, r, p.Root))
			}
		}
	}
	b.add(file, "site-rule.tmpl", p)
	return p.Groups
}

func refusalOf(p *profiles.Profile, r profiles.Refusal, root string) refusal {
	answers := r.Answers()
	shown := refusal{
		Provider: p.Title, ProviderURL: root + providerFile(p.Name), Rule: r.Rule, Status: answers[0].Status, Message: answers[0].Message, Only: r.Where(), How: r.How(),
	}
	if rulebook.Lookup(r.Rule) != nil {
		shown.RuleURL = root + ruleFile(r.Rule)
	}
	var notes []string
	if r.Until != "" {
		notes = append(notes, "until "+r.Until+", no longer")
	}
	if r.OurWords {
		notes = append(notes, "its words are not known, these are ours")
	}
	if r.InSequence {
		notes = append(notes, "it depends on earlier requests")
	}
	for _, other := range answers[1:] {
		notes = append(notes, "or: "+other.Message)
	}
	shown.Note = strings.Join(notes, "; ")
	shown.Sources = sources(r.Sources)
	return shown
}

func sources(urls []string) []page.Source {
	var all []page.Source
	for _, u := range urls {
		all = append(all, page.Source{URL: u})
	}
	return all
}

// providersPage is the list of all providers.
type providersPage struct {
	frame
	Providers []providerRow
}

// providerRow is a provider in the list.
type providerRow struct {
	Name, Title, URL, API string
	Refusals              int
	Known                 string // how many of them by which means
}

// providerPage is the page of a provider.
type providerPage struct {
	frame
	Profile  *profiles.Profile
	API      string
	Docs     []page.Source
	Forms    []form
	Refusals []refusal
}

// form says how it is known in which form a provider writes.
type form struct {
	What, How string
	Sources   []page.Source
}

// providers renders the list of all providers, and the page of each.
func (b *builder) providers() {
	list := providersPage{frame: newFrame("providers.html", "providers", "What providers refuse")}
	for _, p := range b.profiles {
		b.provider(p)
		list.Providers = append(list.Providers, providerRow{
			Name: p.Name, Title: p.Title, URL: providerFile(p.Name), API: apis([]string{p.Dialect}), Refusals: len(p.Refuses), Known: knownBy(p.Refuses),
		})
	}
	b.add("providers.html", "site-providers.tmpl", list)
}

// knownBy counts by which means refusals are known: "12 executed, 3 reported".
func knownBy(refuses []profiles.Refusal) string {
	var order []profiles.KnownBy
	counts := map[profiles.KnownBy]int{}
	for _, r := range refuses {
		if counts[r.KnownBy] == 0 {
			order = append(order, r.KnownBy)
		}
		counts[r.KnownBy]++
	}
	slices.SortStableFunc(order, func(a, b profiles.KnownBy) int { return counts[b] - counts[a] })
	var parts []string
	for _, k := range order {
		parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
	}
	return strings.Join(parts, ", ")
}

func (b *builder) provider(profile *profiles.Profile) {
	file := providerFile(profile.Name)
	p := providerPage{frame: newFrame(file, "providers", profile.Title), Profile: profile, API: apis([]string{profile.Dialect}), Docs: sources(profile.Docs)}
	for _, one := range []struct {
		what  string
		proof profiles.Proof
	}{{"the form of its answers", profile.Forms.Answers}, {"the form of its errors", profile.Forms.Errors}} {
		if one.proof.KnownBy != "" {
			p.Forms = append(p.Forms, form{one.what, one.proof.How(), sources(one.proof.Sources)})
		}
	}
	for _, r := range profile.Refuses {
		p.Refusals = append(p.Refusals, refusalOf(profile, r, p.Root))
	}
	b.add(file, "site-provider.tmpl", p)
}
