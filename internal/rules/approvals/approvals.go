package approvals

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// The pages on which frameworks describe their approvals.
const (
	agentsSDKDocs = "https://openai.github.io/openai-agents-python/human_in_the_loop/"
	aiSDKDocs     = "https://ai-sdk.dev/docs/agents/tool-approvals"
	claudeSDKDocs = "https://platform.claude.com/docs/en/agent-sdk/user-input"
	langchainDocs = "https://docs.langchain.com/oss/python/langchain/human-in-the-loop"
)

// runs is what every rule needs: the tools that need an approval are those of the task.
var runs = []protocol.Feature{protocol.ToolApprovals, protocol.Executions}

// coreRules are the rules about calls that need an approval.
var coreRules = []rules.Rule{
	{
		ID:        "approvals/run-after-approval",
		Level:     trace.Must,
		Text:      "A call that needs an approval is run only after the user has approved it.",
		Why:       "An approval that comes after the deed, or that was given to another call, protects nobody.",
		Invariant: true,
		Needs:     runs,
		Evidence:  "a run of a tool that needs an approval",
		Sources: []rules.Source{
			{URL: agentsSDKDocs, Says: "execution pauses until a person approves or rejects the call"},
			{URL: claudeSDKDocs, Says: "the callback pauses execution until it returns a response"},
			{URL: aiSDKDocs, Says: "review, approve or deny selected calls before they execute"},
			{URL: "https://github.com/evenfire-ai/evenfire/issues/723", Says: "a tool ran after the approval of another one"},
			{URL: "https://github.com/curie-eng/curie/issues/1852", Says: "a tool that needs an approval ran at once"},
		},
		Run: runAfterApproval,
	},
	{
		ID:        "approvals/denied-not-run",
		Level:     trace.Must,
		Text:      "A call that the user has denied is not run.",
		Why:       "The user has said no to just this deed.",
		Invariant: true,
		Needs:     runs,
		Evidence:  "a call that the user denied, and a request or an end after it",
		Sources: []rules.Source{
			{URL: agentsSDKDocs, Says: "a rejected call is answered with a rejection instead"},
			{URL: aiSDKDocs, Says: "denied: return a denied tool output"},
			{URL: "https://github.com/evenfire-ai/evenfire/issues/723", Says: "a denied tool ran after a later approval of a different tool"},
			{URL: "https://github.com/MervinPraison/PraisonAI/issues/4228", Says: "denials that never reached the place where tools are run"},
		},
		Run: deniedNotRun,
	},
	{
		ID:        "approvals/asked-as-called",
		Level:     trace.Must,
		Text:      "The user is asked about the call that the model made: its tool, with its arguments.",
		Why:       "Otherwise the user approves something else than what is run.",
		Invariant: true,
		Needs:     runs,
		Evidence:  "a question to the user",
		Sources: []rules.Source{
			{URL: claudeSDKDocs, Says: "the callback receives the tool's name and its input"},
			{URL: agentsSDKDocs, Says: "an interruption has the name of the tool and its arguments"},
			{URL: "https://github.com/extra-org/extra/issues/139", Says: "other arguments were run than had been approved"},
			{URL: "https://github.com/MicrosoftDocs/semantic-kernel-docs/pull/427", Says: "an approval is for the exact call in the request, and a changed call needs a new one"},
		},
		Run: askedAsCalled,
	},
	{
		ID:        "approvals/asked-once",
		Level:     trace.Should,
		Text:      "The user is asked once about each call that needs an approval, and about no other.",
		Why:       "Users who are asked too often approve without reading.",
		Invariant: true,
		Needs:     runs,
		Evidence:  "a question to the user",
		Sources: []rules.Source{
			{URL: agentsSDKDocs, Says: "calls that need no approval are run without a question; those that are decided stay so"},
			{URL: "https://github.com/nearai/ironclaw/issues/5196", Says: "the user approved, and was asked again"},
		},
		Run: askedOnce,
	},
	{
		ID:        "approvals/edited-arguments-run",
		Level:     trace.Must,
		Text:      "A call that the user approves with other arguments is run with those.",
		Why:       "The user has changed them since the model's own would do harm.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.ToolApprovals, protocol.ApprovalEdits, protocol.Executions},
		Evidence:  "a run of a call that was approved with other arguments",
		Sources: []rules.Source{
			{URL: claudeSDKDocs, Says: "approve with changes: updatedInput is what the tool gets"},
			{URL: langchainDocs, Says: "edit: the call is executed with modifications"},
			{URL: "https://github.com/extra-org/extra/issues/139", Says: "other arguments were run than had been approved"},
		},
		Run: editedArgumentsRun,
	},
	{
		ID:        "approvals/denial-told",
		Level:     trace.Should,
		Text:      "The result of a denied call says that it was not run.",
		Why:       "A model that reads an empty result takes the deed for done, and reports it.",
		Invariant: true,
		Needs:     runs,
		Evidence:  "a request with the result of a denied call",
		Sources: []rules.Source{
			{URL: agentsSDKDocs, Says: "the model is sent a rejection message"},
			{URL: langchainDocs, Says: "reject: a message with an explanation takes the place of the result"},
			{URL: "https://chat-sdk.dev/docs/customization/tool-approval", Says: "the model receives feedback that the user declined"},
		},
		Run: denialTold,
	},
	{
		ID:        "approvals/denial-says-why",
		Level:     trace.Should,
		Text:      "The result of a call that the user denied with a reason has the reason.",
		Why:       "The reason is what the user wants done instead.",
		Invariant: true,
		Needs:     runs,
		Evidence:  "a request with a result for a call that was denied with a reason",
		Sources: []rules.Source{
			{URL: claudeSDKDocs, Says: "Claude sees the message of a denial, and may adjust its approach"},
			{URL: agentsSDKDocs, Says: "rejection_message: the message that the model gets"},
			{URL: langchainDocs, Says: "reject, with an explanation that is added to the conversation"},
		},
		Run: denialSaysWhy,
	},
	{
		// No must: a library whose callers keep the messages may leave it to them to answer the
		// call.
		ID:        "approvals/next-prompt-goes-on",
		Level:     trace.Should,
		Text:      "When the user says something else while a call waits for a decision, the conversation goes on with that.",
		Why:       "Otherwise every later prompt fails, since the call stays without a result.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.ToolApprovals, protocol.Executions, protocol.Cancel, protocol.MultiPrompt},
		Evidence:  "a question to the user, who went on to the next prompt instead of a decision",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "a user may say something else: no decision follows, and the next prompt begins"},
			{URL: "https://github.com/vercel/ai/issues/12709", Says: "a new message while an approval is requested, and the error that tool results are missing"},
			{URL: "https://ai-sdk.dev/docs/troubleshooting/missing-tool-results-error", Says: "who keeps the messages has to resolve the call before: so no must"},
			{URL: "https://github.com/langchain-ai/langgraph/issues/8077", Says: "a new message to a run that waits for a decision"},
		},
		Run: nextPromptGoesOn,
	},
}

func nextPromptGoesOn(r *rules.Run) (j rules.CheckResult) {
	if r.Cancel == nil || !r.Cancel.Turn.Cancelled(scenarios.DuringApproval) || r.Cancel.Turn.Step.Cancel.Scope != protocol.ScopePrompt || r.Outcome == nil {
		return j
	}
	j.HasEvidence = true
	if r.Resumed() == nil && r.Outcome.Status == protocol.Failed { // one that stops has cancelled the whole task, as it may
		j.FindInAnswer(r.Exchange(r.Cancel.Request), "the next prompt failed since a call had waited for a decision", "a request with the next prompt", r.DescribeEnd())
	}
	return j
}

func runAfterApproval(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !r.NeedsApproval(c) || deniedByUser(r, c) {
			continue
		}
		for _, e := range ofItsOwn(c) {
			j.HasEvidence = true
			if !slices.ContainsFunc(r.Questions(c), func(a *trace.Approval) bool { return a.Approve && a.Decided < e.Start }) {
				j.FindInAnswer(c.In,
					fmt.Sprintf("the call %s was run without an approval", c.Call.As),
					"no run before the user has approved it",
					fmt.Sprintf("%s run with %s, %s", e.Tool, rules.Quote(e.Arguments), describe(r.Questions(c))))
			}
		}
	}
	return j
}

// ofItsOwn returns the runs of a call but for one that was over before the model made the call: a
// loop with a cache has its result from there.
func ofItsOwn(c rules.CallRun) []*trace.Execution {
	return slices.DeleteFunc(slices.Clone(c.Executions), func(e *trace.Execution) bool { return e.Start < c.In.Start })
}

// describe says what had become of the questions about a call.
func describe(asked []*trace.Approval) string {
	if len(asked) == 0 {
		return "and the user was not asked"
	}
	return "and the call was " + asked[0].Decision() + " by then or later"
}

func deniedNotRun(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !deniedByUser(r, c) {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.WentOn(c)
		for _, e := range c.Executions {
			j.FindInAnswer(c.In,
				fmt.Sprintf("the call %s was run although the user denied it", c.Call.As),
				"no run",
				fmt.Sprintf("%s run with %s", e.Tool, rules.Quote(e.Arguments)))
		}
	}
	return j
}

// deniedByUser reports whether the user was asked about a call, and denied it.
func deniedByUser(r *rules.Run, c rules.CallRun) bool { return c.Denied && len(r.Questions(c)) > 0 }

func askedAsCalled(r *rules.Run) (j rules.CheckResult) {
	for _, a := range r.Approvals {
		j.HasEvidence = true
		if a.Request == 0 {
			j.Find(trace.Finding{
				Message:  "the user was asked about a call that the model did not make",
				Expected: "a call of the model",
				Actual:   shown(a),
			})
		}
	}
	for _, c := range r.Calls() {
		for _, a := range r.Questions(c) {
			named := a.Tool == c.Call.Name || a.Tool == c.Call.Scripted()
			if named && c.SameArguments(&trace.Execution{Tool: c.Call.Scripted(), Arguments: a.Arguments}) {
				continue
			}
			j.FindInAnswer(c.In,
				fmt.Sprintf("the user was asked about another call than %s", c.Call.As),
				fmt.Sprintf("%s with %s", c.Call.Name, rules.Quote(c.Call.Arguments)),
				shown(a))
		}
	}
	return j
}

func shown(a *trace.Approval) string {
	return fmt.Sprintf("%s with %s", a.Tool, rules.Quote(a.Arguments))
}

func askedOnce(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		asked := len(r.Questions(c))
		j.HasEvidence = j.HasEvidence || asked > 0
		switch {
		case asked > 0 && !r.NeedsApproval(c):
			j.FindInAnswer(c.In, fmt.Sprintf("the user was asked about the call %s, which needs no approval", c.Call.As), "no question", rules.Plural(asked, "question"))
		case asked > 1:
			j.FindInAnswer(c.In, fmt.Sprintf("the user was asked several times about the call %s", c.Call.As), "one question", rules.Plural(asked, "question"))
		}
	}
	return j
}

func editedArgumentsRun(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		edited := c.Call.Approved != "" && slices.ContainsFunc(r.Questions(c), func(a *trace.Approval) bool { return a.Approve })
		for _, e := range c.Executions {
			if !edited {
				continue
			}
			j.HasEvidence = true
			if !c.AsEdited(e) {
				j.FindInAnswer(c.In,
					fmt.Sprintf("the call %s was run with other arguments than the user approved", c.Call.As),
					rules.Quote(c.Call.Approved),
					rules.Quote(e.Arguments))
			}
		}
	}
	return j
}

func denialTold(r *rules.Run) (j rules.CheckResult) {
	eachDenial(r, func(d denial) {
		j.HasEvidence = true
		if d.text == "" {
			j.FindAt(d.in, d.pointer, fmt.Sprintf("the call %s, which the user denied, was answered with nothing", d.as), "words from which the model knows that it was not run", "an empty result")
		}
	})
	return j
}

func denialSaysWhy(r *rules.Run) (j rules.CheckResult) {
	eachDenial(r, func(d denial) {
		if d.reason == "" || d.text == "" { // denial-told looks at those that say nothing
			return
		}
		j.HasEvidence = true
		if !rules.ContainsText(d.text, d.reason) {
			j.FindAt(d.in, d.pointer, fmt.Sprintf("the result of the call %s does not say why the user denied it", d.as), "a result with "+rules.Quote(d.reason), rules.Quote(d.text))
		}
	})
	return j
}

// denial is a denied call with the result that the loop sent for it.
type denial struct {
	as, reason, text string
	in               *trace.Exchange
	pointer          string // to the content of the result
}

// eachDenial calls look with each denied call that was answered. A call that the loop ran anyway
// has the result of its tool.
func eachDenial(r *rules.Run, look func(denial)) {
	for _, e := range r.Answered() {
		for n := range e.Turn.Answer.Calls {
			c := r.CallRun(e, n)
			res, ok := e.Result(n)
			if !ok || !deniedByUser(r, c) || len(c.Executions) > 0 {
				continue
			}
			d := denial{as: c.Call.As, reason: r.Questions(c)[0].Reason, in: e.In, pointer: res.Node.Pointer() + "/content"}
			if !res.Content.Blank() {
				d.text = res.Content.Text
			}
			look(d)
		}
	}
}
