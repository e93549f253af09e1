package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// ruleChapters writes every rule with all that is known about it, below what the page in docs says
// of all rules.
func ruleChapters(repo fs.FS) ([]byte, error) {
	about, err := introduction(repo, "docs/rules.md", "\n## "+rulebook.Book()[0].Area()+"\n")
	if err != nil {
		return nil, err
	}
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(about)
	area := ""
	for _, r := range rulebook.Book() {
		if r.Area() != area {
			area = r.Area()
			fmt.Fprintf(b, "\n## %s\n", area)
		}
		writeRule(b, r, library)
	}
	return b.Bytes(), nil
}

// dialectsOf names the dialects that a rule is about, where those are not all.
func dialectsOf(r *rules.Rule) string {
	about := slices.DeleteFunc(dialect.All(), func(d *wire.Dialect) bool { return !r.In(d) })
	if len(about) == len(dialect.All()) {
		return ""
	}
	return strings.Join(dialect.Names(about), ", ")
}

func writeRule(b *bytes.Buffer, r *rules.Rule, library []*scenarios.Scenario) {
	fmt.Fprintf(b, "\n### %s\n\n**%s** %s\n\n%s\n\n", r.ID, r.Level, r.Text, r.Why)
	item := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "- %s: %s\n", name, text)
		}
	}
	item("dialects", dialectsOf(r))
	item("evidence", r.Evidence)
	var needs []string
	for _, f := range r.Needs {
		needs = append(needs, "`"+string(f)+"`")
	}
	item("needs", strings.Join(needs, ", "))
	item("about records in", recordFormats(r.Formats))
	item("a must for records in", recordFormats(r.MustIn))
	item("refused by", refusers(r))
	item("tested by", listing(r, library))
	item("broken by", breakers(r))
	for _, c := range rulebook.Consequences(r) {
		item("may follow", fmt.Sprintf("from [%s](#%s): %s", c.From, strings.ReplaceAll(c.From, "/", ""), c.Why))
	}
	for _, s := range r.Sources {
		item("source", fmt.Sprintf("<%s>: %s", s.URL, s.Says))
	}
}

// recordFormats names formats of records, with their pages.
func recordFormats(names []string) string {
	var links []string
	for _, name := range names {
		links = append(links, fmt.Sprintf("[%s](records/%s.md)", name, name))
	}
	return strings.Join(links, ", ")
}

// refusers names the profiles that refuse a violation.
func refusers(r *rules.Rule) string {
	var names []string
	for _, p := range profiles.All() {
		if refusal, ok := p.Refusal(r.ID); ok {
			names = append(names, fmt.Sprintf("%s (%d, %s)", p.Name, refusal.Status, refusal.KnownBy))
		}
	}
	return strings.Join(names, ", ")
}

// listing names the scenarios that give evidence for a rule.
func listing(r *rules.Rule, library []*scenarios.Scenario) string {
	var ids []string
	for _, s := range library {
		if slices.Contains(s.Rules, r.ID) {
			ids = append(ids, "`"+s.ID+"`")
		}
	}
	return strings.Join(ids, ", ")
}

// breakers names the faults that break a rule.
func breakers(r *rules.Rule) string {
	var names []string
	for _, f := range faults.All() {
		if slices.Contains(f.Breaks, r.ID) {
			names = append(names, "`"+f.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// anchor returns the anchor that GitHub gives to a heading.
func anchor(heading string) string {
	return strings.NewReplacer("/", "", ".", "", " ", "-").Replace(heading)
}
