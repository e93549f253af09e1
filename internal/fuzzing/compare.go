package fuzzing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// What a loop is compared with itself in. Two runs that completed are alike if the same tools ran with the same arguments as
// often, and the caller got the same text. One that did not complete is left to the rules about outcomes.
const (
	sameDialects   = "fuzz/same-in-every-dialect"
	sameDeliveries = "fuzz/same-in-every-delivery"
	sameFailures   = "fuzz/same-after-a-failure"
)

// IsComparison reports whether an id is that of a comparison of a loop with itself, which is no rule of the rulebook.
func IsComparison(id string) bool { return strings.HasPrefix(id, "fuzz/") }

// twin returns the conversation without its failed attempts, with which it is compared, or nil where it has none.
func (c *Conversation) twin() *Conversation {
	if !c.comparable() || !slices.ContainsFunc(c.turns(), func(t *Turn) bool { return len(t.Failures) > 0 }) {
		return nil
	}
	twin := c.clone()
	for _, t := range twin.turns() {
		t.Failures = nil
	}
	twin.Deliveries = twin.Deliveries[:1]
	return twin
}

// comparable reports whether there is one right way in which the conversation goes, whatever the wire API.
func (c *Conversation) comparable() bool {
	unanswered := slices.ContainsFunc(c.Prompts, func(p Prompt) bool { return !p.answered() })
	odd := inTurn(func(t *Turn) bool {
		return t.Step.Cancel != nil || len(t.Step.Quirks) > 0 || slices.ContainsFunc(t.Calls, func(c Call) bool { return c.bad() })
	})(c)
	return !unanswered && !odd && c.MaxTurns == 0
}

// compare compares what came of each conversation with what came of it otherwise: in another wire API, in another delivery,
// and without the failures. Runs that break a rule are left out: the rule says more.
func (f *fuzzer) compare(b *batch, played []runner.Played) (hits []hit) {
	good := slices.DeleteFunc(slices.Clone(played), func(p runner.Played) bool { return p.Run == nil || len(p.Case.Findings) > 0 || !completed(p.Run) })
	for i, p := range good {
		c := b.conversations[p.Case.Scenario]
		if c == nil || !c.comparable() {
			continue
		}
		for _, q := range good[:i] {
			if id, how := relation(b, p, q); id != "" {
				if h, differs := difference(id, how, p, q); differs {
					hits = append(hits, h)
				}
			}
		}
	}
	return hits
}

func completed(r *rules.Run) bool {
	return r.Outcome != nil && r.Outcome.Status == protocol.Completed
}

// relation returns which comparison is about two runs, and what distinguishes them, in words; "" where none is.
func relation(b *batch, p, q runner.Played) (id, how string) {
	x, y := p.Run.Case, q.Run.Case
	same := x.Scenario == y.Scenario
	switch {
	case same && x.Profile == y.Profile && x.Delivery != y.Delivery:
		return sameDeliveries, fmt.Sprintf("the delivery %s led to something else than %s", x.Delivery, y.Delivery)
	case same && x.Dialect != y.Dialect && x.Delivery == y.Delivery:
		return sameDialects, fmt.Sprintf("%s led to something else than %s", x.Dialect, y.Dialect)
	case b.twins[x.Scenario] == y.Scenario && !same && x.Profile == y.Profile && x.Delivery == y.Delivery:
		return sameFailures, "a failure that passed led to something else than none"
	}
	return "", ""
}

// difference returns in what two runs differ that should be alike.
func difference(id, how string, p, q runner.Played) (h hit, differs bool) {
	got, want := describe(p.Run), describe(q.Run)
	for _, e := range q.Run.Executions {
		if !slices.ContainsFunc(p.Run.Executions, func(o *trace.Execution) bool { return alike(e, o) }) {
			differs = true
		}
	}
	differs = differs || len(p.Run.Executions) != len(q.Run.Executions) || strings.TrimSpace(p.Run.Outcome.Text) != strings.TrimSpace(q.Run.Outcome.Text)
	h = hit{
		scenario: p.Case.Scenario, caseID: p.Case.ID,
		profiles: slices.Compact([]string{q.Case.Profile, p.Case.Profile}), deliveries: slices.Compact([]wire.Delivery{wire.Delivery(q.Case.Delivery), wire.Delivery(p.Case.Delivery)}),
		finding: trace.Finding{Rule: id, Level: trace.Must, Message: how, Expected: want, Actual: got},
	}
	return h, differs
}

func alike(a, b *trace.Execution) bool {
	return a.Tool == b.Tool && rules.SameArguments(a.Arguments, b.Arguments)
}

// describe says what came of a run.
func describe(r *rules.Run) string {
	var runs []string
	for _, e := range r.Executions {
		runs = append(runs, e.Tool+" "+rules.Quote(e.Arguments))
	}
	slices.Sort(runs)
	if len(runs) == 0 {
		runs = []string{"no tool run"}
	}
	return strings.Join(runs, ", ") + ", and the answer " + rules.Quote(strings.TrimSpace(r.Outcome.Text))
}
