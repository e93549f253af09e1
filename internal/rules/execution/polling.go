package execution

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// pollingRules are the rules about calls that the model makes again and again.
var pollingRules = []rules.Rule{
	{
		ID:       "execution/polling-goes-on",
		Level:    trace.Should,
		Text:     "A call that the model makes again and again is run each time, and the run goes on, as long as its results change.",
		Why:      "A model that waits for a job asks for its state. Not a must: some loops stop at equal calls, whatever comes of them, and say so.",
		Needs:    rules.SeesTools,
		Evidence: "a request after the third run for equal calls, whose results differ",
		Sources: []rules.Source{
			{URL: "https://github.com/fastclaw-ai/fastclaw/pull/80", Says: "polling taken for a loop: the result has to be equal, too"},
			{URL: "https://github.com/QwenLM/qwen-code/pull/9492", Says: "a changed result is progress, and no repetition"},
			{URL: "https://github.com/StartupHakk/OpenMonoAgent.ai/issues/47", Says: "a background job that is watched is no doom loop"},
		},
		Run: pollingGoesOn,
	},
}

func pollingGoesOn(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !runnable(c) || r.ToolFails(c.Call) || inBadCompany(r, c) || !r.Ordinary(c.Turn) || !r.WentOn(c) || !keepsChanging(r.EqualBefore(c)) {
			continue
		}
		next := r.Next(c.In)
		ended := next == nil && r.Outcome != nil && r.Outcome.Status != protocol.Completed // no-made-up-answer looks at the others
		switch {
		case next != nil && pastLimit(r, next):
		case len(c.Executions) == 0:
			j.Find(notRun(c))
		case ended && strings.TrimSpace(c.Executions[0].Result) != "":
			j.FindInAnswer(c.In,
				fmt.Sprintf("the run ended at the call %s, which the model had made before", c.Call.As),
				"a next request, with a result for the call",
				r.DescribeEnd())
		default:
			j.HasEvidence = j.HasEvidence || next != nil
		}
	}
	return j
}

// keepsChanging reports whether there are so many equal calls that a loop may take the model for
// one that is stuck, each of which had another result than the one before it.
func keepsChanging(calls []rules.CallRun) bool {
	for i, c := range calls {
		if len(c.Executions) == 0 || i > 0 && c.Executions[0].Result == calls[i-1].Executions[0].Result {
			return false
		}
	}
	return len(calls) >= rules.OftenEnough
}
