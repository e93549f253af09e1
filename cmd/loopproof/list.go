package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

func listCommand(s streams) *cobra.Command {
	var asJSON bool
	own := &ownFolders{dialects: s.dialects}
	cmd := &cobra.Command{
		Use:   "list [rules|scenarios|profiles|deliveries|features|quirks|agents]...",
		Short: "List rules, scenarios, profiles, deliveries, features, quirks and agents",
		Long:  `List all rules, scenarios, profiles, deliveries, features, quirks and agents, or only the kinds that are named.`,
		Example: `  loopproof list
  loopproof list rules
  loopproof list scenarios --scenarios my-scenarios
  loopproof list --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			sections, err := sections(own)
			if err != nil {
				return err
			}
			wanted, err := choose(sections, args)
			if err != nil {
				return err
			}
			if asJSON {
				return s.listJSON(wanted)
			}
			s.list(wanted)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	own.register(cmd.Flags(), "list")
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

func sections(own *ownFolders) ([]section, error) {
	_, known, library, err := own.read()
	if err != nil {
		return nil, err
	}
	list := []section{{name: "rules"}, {name: "scenarios"}, {name: "profiles"}, {name: "deliveries"}, {name: "features"}, {name: "quirks"}, {name: "agents"}}
	for _, r := range rulebook.Book() {
		list[0].items = append(list[0].items, item{ID: r.ID, Level: r.Level, Text: r.Text, Needs: wire.Words(r.Needs)})
	}
	for _, scenario := range library {
		list[1].items = append(list[1].items, item{ID: scenario.ID, Text: scenario.Title, Needs: wire.Words(scenario.Needs)})
	}
	for _, p := range known.All() {
		list[2].items = append(list[2].items, item{ID: p.Name, Text: p.Title})
	}
	for _, d := range wire.Deliveries() {
		list[3].items = append(list[3].items, item{ID: string(d), Text: deliveryText(d)})
	}
	for _, f := range protocol.Features() {
		list[4].items = append(list[4].items, item{ID: string(f), Text: featureText(f)})
	}
	for _, q := range profiles.AllQuirks(known.Own) {
		list[5].items = append(list[5].items, item{ID: q.Name, Text: "The provider " + q.Does + "."})
	}
	for _, name := range agents.Names() {
		d, err := agents.Find(name)
		if err != nil {
			return nil, err
		}
		list[6].items = append(list[6].items, item{ID: name, Text: d.Name + ", " + d.Dialect})
	}
	return list, nil
}

// choose returns the sections of some names, or all.
func choose(from []section, names []string) ([]section, error) {
	if len(names) == 0 {
		return from, nil
	}
	var known []string
	for _, s := range from {
		known = append(known, s.name)
	}
	var chosen []section
	for _, name := range names {
		if err := oneOf("list", name, known); err != nil {
			return nil, err
		}
		for _, s := range from {
			if s.name == name {
				chosen = append(chosen, s)
			}
		}
	}
	return chosen, nil
}

func (s streams) listJSON(list []section) error {
	all := map[string][]item{}
	for _, section := range list {
		all[section.name] = section.items
	}
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(all)
}

// list writes one line for each item, so that it can be searched with grep.
func (s streams) list(list []section) {
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
	fmt.Fprint(s.out, page.String())
}
