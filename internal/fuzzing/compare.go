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
	"github.com/loopproof/loopproof/report"
)

// What a loop is compared with itself in. Two runs that completed are alike if the same tools ran
// with the same arguments as often, and the caller got the same answer. One that did not complete
// is left to the rules about outcomes.
const (
	sameDialects   = "fuzz/same-in-every-dialect"
	sameDeliveries = "fuzz/same-in-every-delivery"
	sameFailures   = "fuzz/same-after-a-failure"
)

// Comparisons are the ids of all comparisons of a loop with itself, with what each requires.
func Comparisons() map[string]string {
	return map[string]string{
		sameDialects:   "Two completed runs of the same conversation in two wire APIs run the same tools with the same arguments as often, and give the same answer.",
		sameDeliveries: "Two completed runs of the same conversation in two deliveries run the same tools with the same arguments as often, and give the same answer.",
		sameFailures:   "A completed run with temporary failures runs the same tools with the same arguments as often as the same conversation without them, and gives the same answer.",
	}
}

// IsComparison reports whether an id is that of a comparison of a loop with itself, which is no
// rule of the rulebook.
func IsComparison(id string) bool { return strings.HasPrefix(id, "fuzz/") }

// comparison returns the conversation without its failed attempts, with which it is compared, or
// nil where it has none.
func (c *Conversation) comparison() *Conversation {
	if !c.comparable() || !slices.ContainsFunc(c.turns(), func(t *Turn) bool { return len(t.Failures) > 0 }) {
		return nil
	}
	comparison := c.clone()
	for _, t := range comparison.turns() {
		t.Failures = nil
	}
	comparison.Deliveries = comparison.Deliveries[:1]
	return comparison
}

// comparable reports whether there is one right way in which the conversation goes, whatever the
// wire API.
func (c *Conversation) comparable() bool {
	unanswered := slices.ContainsFunc(c.Prompts, func(p Prompt) bool { return !answers(p.Turns) })
	odd := inTurn(func(t *Turn) bool {
		return t.Step.Cancel != nil || len(t.Step.Quirks) > 0 || slices.ContainsFunc(t.Calls, func(c Call) bool { return c.bad() })
	})(c)
	return !unanswered && !odd && c.MaxTurns == 0
}

// ended is what is kept of a case that was played: what it is compared by. The run, which holds all
// that was asked and answered, is not.
type ended struct {
	scenario, id, dialect, profile string
	delivery                       wire.Delivery

	good       bool // the loop completed it, and broke no rule
	executions []execution
	text       string // that the caller got
}

type execution struct{ tool, arguments string }

func whatRemains(p runner.Played) ended {
	e := ended{scenario: p.Case.Scenario, id: p.Case.ID, profile: p.Case.Profile, delivery: wire.Delivery(p.Case.Delivery)}
	if p.Run == nil {
		return e
	}
	e.dialect = p.Run.Case.Dialect
	if e.good = len(p.Case.Findings) == 0 && completed(p.Run); e.good {
		e.text = strings.TrimSpace(p.Run.Outcome.Text)
		e.executions = executionsOf(p.Run)
	}
	return e
}

// executionsOf returns what ran. Of equal runs it returns one where the loop keeps results: whether
// it finds one again may depend on how the arguments are written.
func executionsOf(r *rules.Run) (all []execution) {
	once := slices.Contains(r.Designs, protocol.CachedResults)
	for _, run := range r.Executions {
		e := execution{run.Tool, run.Arguments}
		if once && slices.ContainsFunc(all, func(o execution) bool { return alike(e, o) }) {
			continue
		}
		all = append(all, e)
	}
	return all
}

func completed(r *rules.Run) bool {
	return r.Outcome != nil && r.Outcome.Status == protocol.Completed
}

// compare compares what came of each conversation with what came of it otherwise: in another wire
// API, in another delivery, and without the failures. Runs that break a rule are left out: the rule
// says more.
func (f *fuzzer) compare(b *batch, played []ended) (hits []hit) {
	good := slices.DeleteFunc(slices.Clone(played), func(p ended) bool { return !p.good || likeABadStream(played, p) })
	for i, p := range good {
		c := b.conversations[p.scenario]
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

// likeABadStream reports whether a run is in an odd delivery, and the loop broke a rule or did not
// complete in the plain stream of the same conversation. Rules find in odd deliveries only what
// differs from the plain stream: the run may have the same mistake.
func likeABadStream(played []ended, p ended) bool {
	return !p.delivery.Ordinary() && slices.ContainsFunc(played, func(plain ended) bool {
		return plain.scenario == p.scenario && plain.profile == p.profile && plain.delivery.Like() == wire.DeliverSSE && !plain.good
	})
}

// relation returns which comparison is about two runs, and what distinguishes them, in words; ""
// where none is.
func relation(b *batch, p, q ended) (id, how string) {
	same := p.scenario == q.scenario
	switch {
	case same && p.profile == q.profile && p.delivery != q.delivery:
		return sameDeliveries, fmt.Sprintf("the delivery %s led to something else than %s", p.delivery, q.delivery)
	case same && p.dialect != q.dialect && p.delivery == q.delivery:
		return sameDialects, fmt.Sprintf("%s led to something else than %s", p.dialect, q.dialect)
	case b.comparisons[p.scenario] == q.scenario && !same && p.profile == q.profile && p.delivery == q.delivery:
		return sameFailures, "the run with failures that passed led to something else than the run without them"
	}
	return "", ""
}

// difference returns in what two runs differ that should be alike.
func difference(id, how string, p, q ended) (h hit, differs bool) {
	for _, e := range q.executions {
		if !slices.ContainsFunc(p.executions, func(o execution) bool { return alike(e, o) }) {
			differs = true
		}
	}
	differs = differs || len(p.executions) != len(q.executions) || !sameAnswer(p.text, q.text)
	h = hit{
		scenario: p.scenario, caseID: p.id,
		profiles: slices.Compact([]string{q.profile, p.profile}), deliveries: slices.Compact([]wire.Delivery{q.delivery, p.delivery}),
		finding: report.Finding{Rule: id, Level: trace.Must, Message: how, Expected: q.describe(), Actual: p.describe()},
	}
	return h, differs
}

// sameAnswer reports whether two texts for the caller end with the same answer: some loops report
// the texts of all turns of a stream, and the last one of a document.
func sameAnswer(a, b string) bool {
	return a == b || a != "" && b != "" && (strings.HasSuffix(a, b) || strings.HasSuffix(b, a))
}

func alike(a, b execution) bool {
	return a.tool == b.tool && rules.SameArguments(a.arguments, b.arguments)
}

// describe says what came of a run.
func (e ended) describe() string {
	var runs []string
	for _, run := range e.executions {
		runs = append(runs, run.tool+" "+rules.Quote(run.arguments))
	}
	slices.Sort(runs)
	if len(runs) == 0 {
		runs = []string{"no tool run"}
	}
	return strings.Join(runs, ", ") + ", and the answer " + rules.Quote(e.text)
}
