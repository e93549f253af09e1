package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// lists are the kinds of items that there are.
var lists = []cobra.Completion{"rules", "scenarios", "profiles", "dialects", "deliveries", "features", "designs", "quirks", "agents"}

func listCommand(s streams) *cobra.Command {
	var asJSON bool
	own := &ownFolders{dialects: s.dialects}
	cmd := &cobra.Command{
		Use:   "list [" + strings.Join(lists, "|") + "]... [PATTERN]...",
		Short: "List rules, scenarios, profiles, deliveries, features, quirks and more",
		Long: `List what there is: all of it, or only the kinds that are named, and of them only what matches a
pattern, such as 'pairing/*'. A pattern has a slash or a *.`,
		Example: `  loopproof list
  loopproof list rules
  loopproof list rules 'pairing/*' 'execution/*'
  loopproof list scenarios --scenarios my-scenarios
  loopproof list --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			names, patterns := splitPatterns(args)
			wanted, err := sections(own, names...)
			if err == nil {
				wanted, err = matching(wanted, patterns)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return s.listJSON(wanted)
			}
			return s.list(wanted)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	own.register(cmd.Flags(), "list")
	cmd.ValidArgs = lists
	return cmd
}

// section is one kind of item.
type section struct {
	name  string
	items []item
}

// item is one line of a list.
type item struct {
	ID    string      `json:"id"`
	Level trace.Level `json:"level,omitempty"`
	Text  string      `json:"text,omitempty"`
	Needs []string    `json:"needs,omitempty"`
}

// sections reads the sections of some names, or all.
func sections(own *ownFolders, names ...string) ([]section, error) {
	var c runner.Config
	known, mine, err := own.open(&c)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = lists
	}
	var chosen []section
	for _, name := range names {
		if err := oneOf("list", name, lists); err != nil {
			return nil, err
		}
		items, err := itemsOf(name, known, mine)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, section{name, items})
	}
	return chosen, nil
}

// itemsOf reads the items of a section.
func itemsOf(section string, known profiles.Known, mine []*scenarios.Scenario) ([]item, error) {
	switch section {
	case "rules":
		return each(rulebook.Book(), func(r *rules.Rule) item {
			return item{ID: r.ID, Level: r.Level, Text: r.Text, Needs: wire.Words(r.Needs)}
		}), nil
	case "scenarios":
		library, err := catalog.Scenarios(nil, known)
		return each(append(library, mine...), func(scenario *scenarios.Scenario) item {
			return item{ID: scenario.ID, Text: scenario.Title, Needs: wire.Words(scenario.Needs)}
		}), err
	case "profiles":
		return each(known.All(), func(p *profiles.Profile) item { return item{ID: p.Name, Text: draftTitle(p.Title, p.Draft)} }), nil
	case "dialects":
		return each(known.Spoken(), func(d *wire.Dialect) item { return item{ID: d.Name, Text: draftTitle(d.Title, d.Draft)} }), nil
	case "deliveries":
		return each(dialect.Deliveries(known.Spoken()), func(d wire.Delivery) item { return item{ID: string(d), Text: deliveryText(d)} }), nil
	case "features":
		return each(protocol.Features(), func(f protocol.Feature) item { return item{ID: string(f), Text: claims.Describe(f).Does} }), nil
	case "designs":
		return each(protocol.Designs(), func(d protocol.Design) item { return item{ID: string(d), Text: designText(d)} }), nil
	case "quirks":
		return each(profiles.AllQuirks(known.Own), func(q wire.Quirk) item {
			return item{ID: q.Name, Text: "The provider " + q.Does + "."}
		}), nil
	default:
		return agentItems()
	}
}

func agentItems() (all []item, err error) {
	for _, name := range agents.Names() {
		d, err := agents.Find(name)
		if err != nil {
			return nil, err
		}
		all = append(all, item{ID: name, Text: d.Name + ", " + d.Dialect})
	}
	return all, nil
}

// each makes an item of each of some things.
func each[T any](all []T, line func(T) item) (items []item) {
	for _, one := range all {
		items = append(items, line(one))
	}
	return items
}

// splitPatterns tells the names of sections from patterns of what is in them.
func splitPatterns(args []string) (names, patterns []string) {
	for _, arg := range args {
		if strings.ContainsAny(arg, "*?[{/") {
			patterns = append(patterns, arg)
		} else {
			names = append(names, arg)
		}
	}
	return names, patterns
}

// matching returns what matches any of some patterns; no patterns leave all. A pattern that nothing
// matches is an error.
func matching(from []section, patterns []string) (some []section, err error) {
	if len(patterns) == 0 {
		return from, nil
	}
	used := map[string]bool{}
	var known []string
	for _, s := range from {
		for _, it := range s.items {
			known = append(known, it.ID)
		}
		s.items = slices.DeleteFunc(s.items, func(it item) bool {
			matches := slices.IndexFunc(patterns, func(p string) bool { return doublestar.MatchUnvalidated(p, it.ID) })
			if matches >= 0 {
				used[patterns[matches]] = true
			}
			return matches < 0
		})
		if len(s.items) > 0 {
			some = append(some, s)
		}
	}
	for _, p := range patterns {
		if !used[p] {
			return nil, fmt.Errorf("nothing matches %q%s; run loopproof list without a pattern for all", p, suggest.PatternHint(p, known, doublestar.MatchUnvalidated))
		}
	}
	return some, nil
}

func (s streams) listJSON(list []section) error {
	all := map[string][]item{}
	for _, section := range list {
		all[section.name] = section.items
	}
	return s.writeJSON(all)
}

// writeJSON writes a value for programs.
func (s streams) writeJSON(value any) error {
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// list writes one line for each item, so that it can be searched with grep.
func (s streams) list(list []section) error {
	page := s.layout()
	for i, section := range list {
		if i > 0 {
			page.Line(0, "")
		}
		page.Line(0, page.Styled(textlayout.Bold, fmt.Sprintf("%s (%d)", section.name, len(section.items))))
		widest := 0
		for _, it := range section.items {
			widest = max(widest, textlayout.Length(it.ID))
		}
		for _, it := range section.items {
			line := fmt.Sprintf("%-*s  ", widest, it.ID)
			if it.Level != "" {
				line += fmt.Sprintf("%-6s  ", it.Level)
			}
			page.Line(2, strings.TrimRight(line+it.Text, " "))
		}
	}
	_, err := io.WriteString(s.out, page.String())
	return err
}
