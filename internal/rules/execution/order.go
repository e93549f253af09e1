package execution

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// orderRules are the rules about when tools run. Whether those of one turn run at the same time is
// for the loop to decide.
var orderRules = []rules.Rule{
	{
		ID:       "execution/in-call-order",
		Level:    trace.Should,
		Text:     "Calls of one turn that do not run at the same time run in the order in which the model made them.",
		Why:      "A model that creates a folder and writes a file into it in one turn depends on the order.",
		Needs:    rules.SeesTools,
		Evidence: "tool runs for all calls of a turn with several, none of which was over at once",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "the calls of a turn are a list"},
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "calls run in order unless they are declared to run together"},
		},
		Run: inCallOrder,
	},
}

// noticeable is how long a run has to take to tell whether others were begun together with it: what
// is over at once may be over before the next one gets the processor.
const noticeable = 200 * time.Millisecond

// inCallOrder looks at turns whose tools did not run at the same time: one that has started them
// all together may see some of them begin late.
func inCallOrder(r *rules.Run) (j rules.CheckResult) {
	turns := map[*trace.Exchange][]rules.CallRun{}
	for _, c := range r.Calls() {
		turns[c.In] = append(turns[c.In], c)
	}
	for _, x := range r.Served() {
		calls := turns[x]
		ran := !slices.ContainsFunc(calls, func(c rules.CallRun) bool {
			return len(c.Executions) == 0 || c.Executions[0].End-c.Executions[0].Start < noticeable
		})
		if len(calls) < 2 || !ran {
			continue
		}
		j.HasEvidence = true
		byStart := slices.Clone(calls)
		slices.SortStableFunc(byStart, func(a, b rules.CallRun) int { return cmp.Compare(a.Executions[0].Start, b.Executions[0].Start) })
		for i, c := range byStart {
			if oneByOne(byStart) && c.N != i {
				j.FindInAnswer(c.In,
					fmt.Sprintf("the tools ran one after the other, and the call %s was number %d", c.Call.As, i+1),
					"the order of the calls: "+rules.List(names(calls)),
					rules.List(names(byStart)))
				break
			}
		}
	}
	return j
}

// oneByOne reports whether each of some tool runs had ended when the next began.
func oneByOne(byStart []rules.CallRun) bool {
	for i := 1; i < len(byStart); i++ {
		if byStart[i].Executions[0].Start < byStart[i-1].Executions[0].End {
			return false
		}
	}
	return true
}

func names(calls []rules.CallRun) []string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Call.As)
	}
	return names
}
