package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/fuzzing"
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
		Use:   "explain NAME",
		Short: "Explain a rule, a scenario, a case, a profile and more",
		Long: `Explain one item by its name:

  a rule       what it requires, why, its sources, how providers answer to a violation, and an example
  a scenario   the conversation, and the rules that it tests
  a case       the requests and responses, byte for byte
  a profile    what the provider refuses, and how it writes answers
  a quirk      which providers show it
  a dialect    its path, its providers, and the rules about it alone
  a feature    what a loop that claims it does, and which rules judge it
  a design     what a loop that claims it may do differently
  an agent     how a coding agent is started and judged
  a comparison what loopproof fuzz finds by comparing runs, such as fuzz/same-in-every-delivery
  a delivery or an area of rules`,
		Example: `  loopproof explain pairing/every-call-answered
  loopproof explain pairing/parallel-results
  loopproof explain pairing/parallel-results@chat/openai/sse-split
  loopproof explain deepseek
  loopproof explain streaming`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one rule, scenario, case, profile, quirk, dialect, feature, design, agent, comparison, delivery or area, as in loopproof explain deepseek")
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
	return completeLists(cmd, own, "rules", "scenarios", "profiles", "quirks", "dialects", "features", "designs", "agents", "deliveries")
}

// book holds everything that can be explained.
type book struct {
	scenarios []*scenarios.Scenario
	profiles  []*profiles.Profile
	dialects  []*wire.Dialect
	plan      *runner.Plan // of all cases
	today     time.Time
}

func openBook(own *ownFolders) (*book, error) {
	c, known, library, err := own.read()
	if err != nil {
		return nil, err
	}
	plan, err := runner.Overview(c)
	return &book{scenarios: library, profiles: known.All(), dialects: known.Spoken(), plan: plan, today: time.Now()}, err
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
	if slices.Contains(wire.Words(dialect.Deliveries(b.dialects)), word) {
		part()
		b.delivery(page, wire.Delivery(word))
	}
	if at := slices.IndexFunc(b.dialects, func(d *wire.Dialect) bool { return d.Name == word }); at >= 0 {
		part()
		b.dialect(page, b.dialects[at])
	}
	if slices.Contains(wire.Words(protocol.Designs()), word) {
		part()
		b.design(page, protocol.Design(word))
	}
	if slices.Contains(agents.Names(), word) {
		described, err := agents.Find(word)
		if err != nil {
			return err
		}
		part()
		b.agent(page, described)
	}
	if slices.Contains(b.areas(), word) {
		part()
		b.area(page, word)
	}
	if text, ok := fuzzing.Comparisons()[word]; ok {
		part()
		comparison(page, word, text)
	}
	if !known {
		return fmt.Errorf("there is nothing called %q%s; loopproof list shows all that can be explained", word, b.hint(word))
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
	for _, d := range b.dialects {
		known = append(known, d.Name)
	}
	return slices.Concat(known, wire.Words(protocol.Features()), wire.Words(protocol.Designs()), agents.Names(), wire.Words(dialect.Deliveries(b.dialects)), b.areas(), slices.Sorted(maps.Keys(fuzzing.Comparisons())))
}

// hint suggests a known name, or a name whose last part is similar.
func (b *book) hint(word string) string {
	known := b.words()
	if begins := firstFew(known, func(k string) bool { return strings.HasPrefix(k, word+"-") }); len(begins) > 0 {
		return fmt.Sprintf(" (did you mean %s?)", strings.Join(begins, ", "))
	}
	if hint := suggest.Hint(word, known); hint != "" {
		return hint
	}
	parts := map[string]string{}
	for _, k := range known {
		parts[path.Base(k)] = k
	}
	if begins := nearBeginnings(word, known); len(begins) > 0 {
		return fmt.Sprintf(" (did you mean %s?)", strings.Join(begins, ", "))
	}
	if near, ok := suggest.Word(word, slices.Sorted(maps.Keys(parts))); ok {
		return fmt.Sprintf(" (did you mean %q?)", parts[near])
	}
	return ""
}

// maxBeginnings is how many names are suggested that begin alike.
const maxBeginnings = 3

// firstFew returns the first few of some names of which something is true, in quotes.
func firstFew(names []string, is func(string) bool) []string {
	var few []string
	for _, name := range names {
		if len(few) < maxBeginnings && is(name) {
			few = append(few, strconv.Quote(name))
		}
	}
	return few
}

// nearBeginnings returns names of the area of a word which begin nearly as it does: finish/lenght
// is the beginning of finish/length-is-not-success.
func nearBeginnings(word string, known []string) []string {
	area, rest, ok := strings.Cut(word, "/")
	return firstFew(known, func(k string) bool {
		last, in := strings.CutPrefix(k, area+"/")
		if !ok || !in || len(last) < len(rest) {
			return false
		}
		_, alike := suggest.Word(rest, []string{last[:len(rest)]})
		return alike
	})
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
