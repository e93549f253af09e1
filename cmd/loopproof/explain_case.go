package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner/exchanges"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
)

// casePage explains a case: what it plays, and the bytes that it sends to the reference loop.
func (b *book) casePage(ctx context.Context, page *textlayout.Builder, id string) error {
	c, err := b.caseNamed(id)
	if err != nil {
		return err
	}
	scenario := b.scenario(c.Scenario)
	title(page, c.ID(), "case", scenario.Title+".")
	page.Item("why", scenario.Why)
	page.Item("delivery", fmt.Sprintf("%s: %s", c.Delivery, deliveryText(c.Delivery)))
	page.Item("rules", strings.Join(scenario.Rules, ", "))
	page.Item("scenario", "loopproof explain "+c.Scenario)
	if !slices.Contains(refloop.Loop{}.Known(), c.Dialect) {
		b.answers(page, c)
		return nil
	}
	heading(page, "Requests and responses, played with the reference loop")
	page.Line(0, "")
	run, log := b.playLogged(ctx, c)
	if run == nil {
		return fmt.Errorf("cannot play the case %s", id)
	}
	var text strings.Builder
	if err := exchanges.Of(log, run, exchanges.Whole).WriteText(&text); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		page.Line(0, strings.TrimRight(line, "\n"))
	}
	return nil
}

// answers shows the answers of a case one by one, for dialects that the reference loop does not
// speak.
func (b *book) answers(page *textlayout.Builder, c trace.Case) {
	p, err := profiles.Find(b.profiles, c.Profile)
	if err != nil {
		return // the plan knows only what is in the book
	}
	for i, turn := range scenarios.Compile(b.scenario(c.Scenario), p, sampleSecret).Turns {
		heading(page, fmt.Sprintf("Answer %d to POST %s", i+1, p.Speaks.Endpoint.Path()))
		if turn.Fails() {
			page.Line(2, fmt.Sprintf("an error with status %d", turn.Step.Status))
			continue
		}
		for line := range strings.Lines(written(p, turn, c.Delivery)) {
			page.Line(2, strings.TrimRight(line, "\n"))
		}
	}
}

// caseNamed returns the case with an id.
func (b *book) caseNamed(id string) (trace.Case, error) {
	var all []string
	for _, c := range b.plan.Cases {
		if c.ID() == id {
			return c, nil
		}
		all = append(all, c.ID())
	}
	scenario, _, _ := strings.Cut(id, "@")
	same := slices.DeleteFunc(all, func(other string) bool { return !strings.HasPrefix(other, scenario+"@") })
	if len(same) == 0 {
		return trace.Case{}, fmt.Errorf("unknown case %q: there is no scenario %s%s", id, scenario, b.hint(scenario))
	}
	return trace.Case{}, fmt.Errorf("unknown case %q%s; run loopproof explain %s to see its profiles and deliveries",
		id, suggest.Hint(id, same), scenario)
}
