package suite

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/rules"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
)

// preflightTimeout is how long a loop may take for one text-only answer.
const preflightTimeout = 5 * time.Second

const preflightScenario = `# Before all else: does the loop talk to us at all?
loopproof: 1
title: One question, one answer
prompt: Say hello.
model:
  - text: Hello.
`

// PreflightError says why a loop cannot be judged at all.
type PreflightError struct {
	Problem string // in a sentence
	Note    string // what is known, such as the last lines of an adapter
}

func (e *PreflightError) Error() string {
	if e.Note == "" {
		return e.Problem
	}
	return e.Problem + "\n" + indent(e.Note)
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

// preflight plays one text-only task, so that a loop that never calls the mock is told so within seconds, and not once
// for every case.
func (p *player) preflight(ctx context.Context) error {
	s, err := scenarios.Parse("preflight.yaml", []byte(preflightScenario), Vocabulary())
	if err != nil {
		return err
	}
	first := profiles.All()[0]
	for _, c := range p.plan.Cases {
		first = p.plan.profiles[c.Profile]
		break
	}
	delivery := wire.DeliverJSON
	if !matches(p.plan.Hello.Deliveries, string(delivery)) {
		delivery = wire.DeliverSSE
	}
	run := p.server.StartRun(mockprovider.RunConfig{Scenario: s, Profile: first, Delivery: delivery, Lenient: true})
	defer p.server.EndRun(run)
	task := run.Task(p.server.URL)
	task.ID, task.TimeoutMS = "preflight", int(preflightTimeout.Milliseconds())
	ctx, cancel := context.WithTimeout(ctx, preflightTimeout)
	defer cancel()
	ending := p.session.Do(ctx, task)
	exchanges, _ := run.Record()
	switch {
	case ending.How == rules.Crashed:
		return &PreflightError{"preflight: the loop crashed at a task that asks for one text", ending.Note}
	case len(exchanges) == 0 && ending.How == rules.Hung:
		return &PreflightError{"preflight: the loop never called the mock provider at " + task.BaseURL + ", and never ended", ending.Note}
	case len(exchanges) == 0:
		return &PreflightError{"preflight: the loop never called the mock provider at " + task.BaseURL, outcomeNote(ending)}
	case ending.How == rules.Hung:
		return &PreflightError{fmt.Sprintf("preflight: the loop called the mock provider %d times but never ended", len(exchanges)), ending.Note}
	}
	return nil
}

func outcomeNote(e Ending) string {
	note := "it reported the status " + string(e.Outcome.Status)
	if e.Outcome.Error != "" {
		note += ": " + e.Outcome.Error
	}
	return note + "\n" + e.Note
}
