package sessions

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// The pages on which frameworks describe how a session goes on.
const (
	langgraphDocs  = "https://docs.langchain.com/oss/python/langgraph/durable-execution"
	agentsSDKDocs  = "https://openai.github.io/openai-agents-python/human_in_the_loop/"
	agentFramework = "https://github.com/microsoft/agent-framework/issues/3938"
)

// durable is what every rule needs.
var durable = []protocol.Feature{protocol.DurableSessions}

// coreRules are the rules about sessions whose process was killed.
var coreRules = []rules.Rule{
	{
		ID:        "sessions/can-be-resumed",
		Level:     trace.Must,
		Text:      "A session whose process was killed goes on: the loop asks the model again.",
		Why:       "Otherwise the work of the session is lost, although it was stored.",
		Invariant: true,
		Needs:     durable,
		Evidence:  "an outcome of a session whose process was killed",
		Sources: []rules.Source{
			{URL: langgraphDocs, Says: "a workflow that was interrupted by a failure of the system is resumed from its last recorded state"},
			{URL: "https://github.com/kirodotdev/Kiro/issues/10666", Says: "the lock of a killed process: its session cannot be loaded any more"},
			{URL: "https://github.com/openclaw/openclaw/issues/70004", Says: "a lock file that is left after SIGKILL fails all later runs of the session"},
		},
		Run: canBeResumed,
	},
	{
		ID:        "sessions/goes-on-where-it-was",
		Level:     trace.Must,
		Text:      "What a request had told the model before the process was killed comes back: the conversation does not begin again.",
		Why:       "A loop that begins again does the same work twice, and what it did may not be done twice.",
		Invariant: true,
		Needs:     durable,
		Evidence:  "a request after the restart of a session in which the model had answered before",
		Sources: []rules.Source{
			{URL: langgraphDocs, Says: "completed work is kept, and the process resumes without repeating earlier steps"},
			{URL: "https://github.com/AVADSA25/codec/pull/122", Says: "after a crash the history was empty, and all steps were played again from the first"},
			{URL: "https://github.com/NVIDIA-NeMo/Gym/issues/3268", Says: "resume at a boundary without another go at the turn before it"},
		},
		Run: goesOnWhereItWas,
	},
	{
		ID:        "sessions/stored-result-not-run-again",
		Level:     trace.Must,
		Text:      "A call whose result a request had told the model before the process was killed is not run again.",
		Why:       "The refund was paid, the mail was sent: another run does it twice.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.DurableSessions, protocol.Executions},
		Evidence:  "a request after the restart of a session in which the model had been told a result",
		Sources: []rules.Source{
			{URL: agentFramework, Says: "a refund was paid twice in 209 of 209 runs that were resumed from a checkpoint"},
			{URL: "https://github.com/micro/go-micro/issues/3401", Says: "resuming does not run completed calls again"},
			{URL: "https://github.com/evalstate/fast-agent/pull/713", Says: "goes on with saved results, without another run of the tools"},
		},
		Run: storedResultNotRunAgain,
	},
	{
		ID:        "sessions/broken-off-call-told",
		Level:     trace.Should,
		Text:      "The result of a call that was broken off when the process was killed, and is not run again, says something.",
		Why:       "A model that reads an empty result takes the deed for done. Whether it is, nobody knows.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.DurableSessions, protocol.Executions},
		Evidence:  "a request after the restart of a session whose process was killed while a tool ran",
		Sources: []rules.Source{
			{URL: "https://github.com/MoonshotAI/kimi-code/pull/771", Says: "an error as the result, so that the model knows that the call was interrupted"},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/102238", Says: "the model had no signal that a call was in flight, and believed that nothing had happened"},
			{URL: "https://github.com/fastagent-sh/fastagent/pull/26", Says: "an honest error result for each call that was interrupted"},
		},
		Run: brokenOffCallTold,
	},
	{
		// No must: a loop may answer the call as broken off, and let the model make it again.
		ID:        "sessions/pending-approval-asked-again",
		Level:     trace.Should,
		Text:      "A question to the user that was open when the process was killed is asked again.",
		Why:       "Otherwise the user, who still sees it, decides in vain.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.DurableSessions, protocol.ToolApprovals, protocol.Executions},
		Evidence:  "a request after the restart of a session in which a call had waited for the user",
		Sources: []rules.Source{
			{URL: agentsSDKDocs, Says: "the state of a paused run can be stored, and the run resumed later with the decision"},
			{URL: "https://github.com/letta-ai/letta-code/pull/546", Says: "pending approvals did not come back with the conversation"},
			{URL: "https://github.com/netclaw-dev/netclaw/issues/1522", Says: "an approval that was outstanding at a restart is left half finished"},
		},
		Run: pendingApprovalAskedAgain,
	},
}

// lastBefore returns the exchange during which the process was killed.
func lastBefore(r *rules.Run) *trace.Exchange { return r.Exchange(r.Crash.Request) }

func canBeResumed(r *rules.Run) (j rules.CheckResult) {
	if r.Crash == nil || r.Outcome == nil { // run-ends of the area outcome looks at the others
		return j
	}
	j.HasEvidence = true
	if r.NeverResumed() {
		j.FindInAnswer(lastBefore(r), "the session did not go on when its process had been killed", "a next request, with what was said so far", r.DescribeEnd())
	}
	return j
}

func goesOnWhereItWas(r *rules.Run) (j rules.CheckResult) {
	if r.Crash == nil || r.NeverResumed() || r.Crash.Turn.Number == 0 {
		return j
	}
	j.HasEvidence = true
	for _, x := range r.Exchanges[:r.Crash.Request] {
		if x.Lost && x.Turn.Number < r.Crash.Turn.Number {
			next := r.Exchange(r.Crash.Resumed)
			j.FindAt(next, next.Request.HistoryPointer(),
				"the first request after the restart has lost what the model had been told before",
				fmt.Sprintf("what request %d said", r.Crash.Request),
				fmt.Sprintf("a conversation that begins again at the turn that answered request %d", x.Number))
			return j
		}
	}
	return j
}

func storedResultNotRunAgain(r *rules.Run) (j rules.CheckResult) {
	if r.Crash == nil || r.NeverResumed() {
		return j
	}
	for _, c := range r.Calls() {
		if len(c.Before) == 0 || !toldBefore(r, c) {
			continue
		}
		j.HasEvidence = true
		for _, e := range c.Executions {
			if !r.BeforeCrash(e) {
				j.FindInAnswer(c.In,
					fmt.Sprintf("the call %s was run again, although the model had been told its result before the process was killed", c.Call.As),
					"no further run",
					fmt.Sprintf("%s run with %s", e.Tool, rules.Quote(e.Arguments)))
			}
		}
	}
	return j
}

// toldBefore reports whether a request had the results of the turn of a call before the process was
// killed.
func toldBefore(r *rules.Run, c rules.CallRun) bool {
	return slices.ContainsFunc(r.Exchanges[:r.Crash.Request], func(x *trace.Exchange) bool {
		return x.Number > c.In.Number && x.Request != nil && x.Request.HasResult()
	})
}

func brokenOffCallTold(r *rules.Run) (j rules.CheckResult) {
	if r.Crash == nil || r.NeverResumed() || !r.Crash.Turn.Crashed(scenarios.DuringTool) {
		return j
	}
	j.HasEvidence = true // also where the loop asks for the turn again, and has nothing to tell
	for _, e := range r.Answered() {
		if !r.CutOff(e.Turn) {
			continue
		}
		for n := range e.Turn.Answer.Calls {
			c := r.CallRun(e, n)
			res, ok := e.Result(n)
			ended := slices.ContainsFunc(c.Before, func(e *trace.Execution) bool { return !e.GivenUp() })
			if ok && !ended && c.Unsettled && res.Content.Blank() {
				j.FindAt(e.In, res.Node.Pointer(), fmt.Sprintf("the result of the call %s, which was broken off, says nothing", c.Call.As), "a result that says so, or another run of the call", "an empty result")
			}
		}
	}
	return j
}

func pendingApprovalAskedAgain(r *rules.Run) (j rules.CheckResult) {
	if r.Crash == nil || r.NeverResumed() || !r.Crash.Turn.Crashed(scenarios.DuringApproval) {
		return j
	}
	j.HasEvidence = true
	asked := slices.ContainsFunc(r.Approvals, func(a *trace.Approval) bool { return a.Asked > r.Crash.At })
	ran := slices.ContainsFunc(r.Calls(), func(c rules.CallRun) bool { return r.NeedsApproval(c) && len(c.Executions) > 0 })
	if !asked && !ran { // run-after-approval of the area approvals looks at those that run
		j.FindInAnswer(lastBefore(r), "the user had not decided about a call when the process was killed, and was not asked again", "the question, asked again", "no question since the restart")
	}
	return j
}
