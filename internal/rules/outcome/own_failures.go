package outcome

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// ownFailureRules are the rules about runs that the loop itself ends in the middle.
var ownFailureRules = []rules.Rule{
	{
		ID:        "outcome/no-failure-of-its-own",
		Level:     trace.Must,
		Text:      "As long as every request is answered, and the tools of the last turn work, a run goes on until the model has answered.",
		Why:       "An error of the loop's own loses the work of all tools that have run.",
		Invariant: true,
		Evidence:  "a request that carries a tool result, in a run in which every request was answered",
		OverAPIs:  true,
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "the results go to the model, until it answers"},
			{URL: "https://github.com/tmc/langchaingo/issues/638", Says: "an agent that fails where it should go on"},
			{URL: "https://github.com/trpc-group/trpc-agent-go/issues/745", Says: "a chunk without a choice ended the run with an error"},
			{URL: "https://github.com/google/syzkaller/pull/7694", Says: "a turn with more calls than a limit ends the run, by design; so turns with more than eight are a should"},
			{URL: "https://llm.datasette.io/en/stable/help.html", Says: "chain-limit: how many chained responses to allow, default 5; so longer runs are a should"},
		},
		Run: noFailureOfItsOwn,
	},
}

// shortRun is how many answers of the model every loop takes. Some libraries stop by themselves
// after five, whatever the limit of the task.
const shortRun = 4

func noFailureOfItsOwn(r *rules.Run) (j rules.CheckResult) {
	if !goesWell(r) {
		return j
	}
	j.HasEvidence = r.UsedTools()
	last := r.Exchanges[len(r.Exchanges)-1]
	if r.Outcome == nil || r.Outcome.Status == protocol.Completed || !last.Turn.Asks() || r.HadToEnd() {
		return j
	}
	f := trace.Finding{
		Request:  last.Number,
		Answer:   last.Number,
		Message:  "the run ended in the middle, although nothing had failed",
		Expected: "a next request, with the results of " + rules.List(called(last.Turn)),
		Actual:   r.DescribeEnd() + " after " + rules.Plural(len(r.Exchanges), "answer"),
	}
	if len(r.Exchanges) > shortRun || len(last.Turn.Answer.Calls) > rules.ManyCalls {
		f.Level = trace.Should
	}
	j.Find(f)
	return j
}

func called(t *scenarios.Turn) (names []string) {
	for _, c := range t.Answer.Calls {
		names = append(names, c.As)
	}
	return names
}

// goesWell reports whether a run gave the loop no reason to end where it did: every request was
// answered by a whole turn in an ordinary form, no result was very long, all went well with the
// calls of the last turn, and the user did not cancel. Limits are for the rules about them.
func goesWell(r *rules.Run) bool {
	n := len(r.Exchanges)
	if n == 0 || len(r.Served()) != n || r.Cancel != nil || r.Crash != nil || r.Script.Scenario.MaxTurns > 0 || r.Task.TokenBudget > 0 || r.Script.Scenario.Timeout > 0 {
		return false
	}
	return !slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool { return !plain(r, x.Turn) }) &&
		!slices.ContainsFunc(r.Calls(), func(c rules.CallRun) bool {
			return len(r.ToolOutput(c.Call)) > rules.LongResult || c.In == r.Exchanges[n-1] && mayEnd(r, c)
		})
}

// plain reports whether a turn is one that every loop can read: it asks for tools, and says so, or
// answers, and nothing in it is of the provider's own.
func plain(r *rules.Run, t *scenarios.Turn) bool {
	if !t.Asks() && !t.Final() || !r.Ordinary(t) || t.Disguised() || t.Step.LosesThread {
		return false
	}
	a := t.Answer
	return (len(a.Calls) == 0 || a.Finish == wire.FinishCalls) &&
		a.Refusal == "" && a.Commentary == "" && a.Phase == "" && a.Container == "" && len(a.Blocks) == 0 && len(a.Items) == 0
}

// mayEnd reports whether a loop may give up at a call, or at what its tool returned. A call that is
// made again and again may be taken for a model that is stuck.
func mayEnd(r *rules.Run, c rules.CallRun) bool {
	unread := slices.ContainsFunc(c.Executions, func(e *trace.Execution) bool { return e.Failed || e.GivenUp() || e.Image != nil })
	return c.Refusable || r.MayGiveUpAt(c.Call) || unread || len(r.EqualBefore(c)) >= rules.OftenEnough || rules.IDRepeated(r, c.Call.ID) ||
		strings.TrimSpace(r.ToolOutput(c.Call)) == ""
}
