package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

func explainCommand(s streams) *cobra.Command {
	own := &ownFolders{dialects: s.dialects}
	cmd := &cobra.Command{
		Use:   "explain RULE|SCENARIO|CASE|PROFILE|QUIRK|FEATURE|DELIVERY|AREA",
		Short: "Explain a rule, a scenario, a case, a profile and more",
		Long: `Explain one item:

  a rule       what it requires, why, its sources, how providers answer to a violation, and an example
  a scenario   the conversation, and the rules that it tests
  a case       the requests and responses, byte for byte
  a profile    what the provider refuses, and how it writes answers
  a quirk      which providers show it
  a feature, a delivery or an area of rules`,
		Example: `  loopproof explain pairing/every-call-answered
  loopproof explain pairing/parallel-results
  loopproof explain pairing/parallel-results@chat/openai/sse-split
  loopproof explain deepseek
  loopproof explain streaming`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one rule, scenario, case, profile, quirk, feature, delivery or area, as in loopproof explain deepseek")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := openBook(own)
			if err != nil {
				return err
			}
			page := s.layout()
			if err := b.explain(cmd.Context(), page, args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprint(s.out, page.String())
			return err
		},
	}
	own.register(cmd.Flags(), "load")
	return completeLists(cmd, own, "rules", "scenarios", "profiles", "quirks", "features", "deliveries")
}

// book holds everything that can be explained.
type book struct {
	scenarios []*scenarios.Scenario
	profiles  []*profiles.Profile
	plan      *runner.Plan // of all cases
}

func openBook(own *ownFolders) (*book, error) {
	c, known, library, err := own.read()
	if err != nil {
		return nil, err
	}
	plan, err := runner.Overview(c)
	return &book{scenarios: library, profiles: known.All(), plan: plan}, err
}

// explain writes a page for each item with a name: a rule and a scenario may have the same.
func (b *book) explain(ctx context.Context, page *textlayout.Builder, word string) error {
	if strings.Contains(word, "@") {
		return b.casePage(ctx, page, word)
	}
	known := false
	part := func() { // begins the next page
		if known {
			page.Line(0, "")
		}
		known = true
	}
	if rule := rulebook.Lookup(word); rule != nil {
		part()
		b.rule(page, rule)
	}
	if scenario := b.scenario(word); scenario != nil {
		part()
		b.scenarioPage(page, scenario)
	}
	if profile, err := profiles.Find(b.profiles, word); err == nil {
		part()
		b.profile(page, profile)
	}
	if quirk, ok := profiles.QuirkNamed(b.profiles, word); ok {
		part()
		b.quirk(page, quirk)
	}
	if slices.Contains(wire.Words(protocol.Features()), word) {
		part()
		b.feature(page, protocol.Feature(word))
	}
	if slices.Contains(wire.Words(wire.Deliveries()), word) {
		part()
		b.delivery(page, wire.Delivery(word))
	}
	if slices.Contains(b.areas(), word) {
		part()
		b.area(page, word)
	}
	if !known {
		return fmt.Errorf("there is no rule, scenario, profile, quirk, feature, delivery or area %q%s; run loopproof list to see them all", word, b.hint(word))
	}
	return nil
}

func (b *book) scenario(id string) *scenarios.Scenario {
	for _, s := range b.scenarios {
		if s.ID == id {
			return s
		}
	}
	return nil
}

func (b *book) words() []string {
	known := append(rulebook.IDs(), profiles.Names(b.profiles)...)
	for _, s := range b.scenarios {
		known = append(known, s.ID)
	}
	for _, q := range profiles.AllQuirks(b.profiles) {
		known = append(known, q.Name)
	}
	return slices.Concat(known, wire.Words(protocol.Features()), wire.Words(wire.Deliveries()), b.areas())
}

// hint suggests a known name, or a name whose last part is similar.
func (b *book) hint(word string) string {
	known := b.words()
	if hint := suggest.Hint(word, known); hint != "" {
		return hint
	}
	parts := map[string]string{}
	for _, k := range known {
		parts[path.Base(k)] = k
	}
	if near, ok := suggest.Word(word, slices.Sorted(maps.Keys(parts))); ok {
		return fmt.Sprintf(" (did you mean %q?)", parts[near])
	}
	return ""
}

// title writes the head of a page.
func title(page *textlayout.Builder, name, kind, text string) {
	page.Line(0, page.Styled(textlayout.Bold, name)+"  "+page.Styled(textlayout.Faint, kind))
	page.Line(0, "")
	if text != "" {
		page.Text(2, text, textlayout.Plain)
		page.Line(0, "")
	}
}

// heading begins a part of a page.
func heading(page *textlayout.Builder, text string) {
	page.Line(0, "")
	page.Line(0, page.Styled(textlayout.Bold, text))
}
