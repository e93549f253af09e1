package limits

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

var tokenBudget = []protocol.Feature{protocol.TokenBudget}

// The documentation of loops with a budget.
const (
	haystackBudget = "https://docs.haystack.deepset.ai/docs/next/token-budget"
	pydanticBudget = "https://ai.pydantic.dev/agents/#usage-limits"
)

// budgetRules are the rules about loops that are told how many tokens an answer may cost.
var budgetRules = []rules.Rule{
	{
		ID:        "limits/budget-respected",
		Level:     trace.Must,
		Text:      "Once the answers to a prompt have cost more tokens than its budget, the model is not asked again. One last request whose answer cannot call a tool only breaks a should.",
		Why:       "A budget is set by who pays; a model that goes round in circles spends many times as much.",
		Invariant: true,
		Needs:     tokenBudget,
		Evidence:  "an outcome after more than half of a budget was spent, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "token_budget: the input and output tokens that the model reported"},
			{URL: haystackBudget, Says: "when usage reaches the threshold, the agent stops before its next call of the model"},
			{URL: pydanticBudget, Says: "total_tokens_limit: an error once a response exceeds it"},
			{URL: "https://github.com/microsoft/agent-framework/issues/6934", Says: "a wrap-up instead: the model is asked to finish with what it has, and its tools are off"},
			{URL: "https://github.com/sapientinc/PRAXIST/issues/81", Says: "a run that spent twelve times its budget, and was not stopped"},
		},
		Run: budgetRespected,
	},
	{
		ID:        "limits/budget-is-told",
		Level:     trace.Must,
		Text:      "A run that ended with a tool call since its budget was spent is not reported as completed.",
		Why:       "The caller believes that the task is finished.",
		Invariant: true,
		Needs:     tokenBudget,
		Evidence:  "an outcome after more than half of a budget was spent, with a tool call as the last answer, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "stopped: the loop ended by itself, without an answer"},
			{URL: haystackBudget, Says: "exit_reason: token_budget_exceeded"},
			{URL: pydanticBudget, Says: "UsageLimitExceeded is raised"},
		},
		Run: budgetIsTold,
	},
	{
		ID:        "limits/budget-usable",
		Level:     trace.Should,
		Text:      "A loop does not stop because of its budget before half of it is spent. It counts the tokens of each answer once.",
		Why:       "The caller allowed as much as the task needs, and gets no answer.",
		Invariant: true,
		Needs:     tokenBudget,
		Evidence:  "an answer, or more than half of a budget spent, in a run that used tools",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "token_budget: the input and output tokens that the model reported"},
			{URL: "https://github.com/microsoft/agent-framework/issues/7143", Says: "the counts in the events of a stream are cumulative, and were added up"},
		},
		Run: budgetUsable,
	},
}

func budgetRespected(r *rules.Run) (j rules.CheckResult) {
	budget, last := r.Task.TokenBudget, r.Last()
	if budget == 0 || last == nil {
		return j
	}
	j.HasEvidence = r.Outcome != nil && r.UsedTools() && 2*r.SpentAt(last) > budget
	answered := false
	for _, x := range r.Conversation() {
		spent, after := r.SpentBefore(x), answered
		answered = x.Turn != nil && x.Turn.Final()
		if after || spent <= budget { // no-request-after-the-end looks behind the answer; whether a budget that is just used up is spent, loops see differently
			continue
		}
		f := trace.Finding{
			Request:  x.Number,
			Message:  "the loop asks the model although its budget is spent",
			Expected: fmt.Sprintf("no request after %d tokens", budget),
			Actual:   fmt.Sprintf("a request after %d tokens", spent),
		}
		if r.IsLastWord(x) {
			f.Level = trace.Should
		}
		j.Find(f)
		break
	}
	return j
}

func budgetIsTold(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if r.Task.TokenBudget == 0 || r.Outcome == nil || last == nil || r.Next(last) != nil || !last.Turn.Asks() {
		return j
	}
	j.HasEvidence = r.UsedTools() && 2*r.SpentAt(last) > r.Task.TokenBudget // some loops keep a reserve
	if r.Outcome.Status == protocol.Completed && r.BudgetSpentAt(last) {    // no-made-up-answer looks at the others
		j.FindInAnswer(last,
			"a run that ended since its budget was spent was reported as completed",
			"status stopped or failed",
			fmt.Sprintf("status completed with the text %s", rules.Quote(r.Outcome.Text)))
	}
	return j
}

func budgetUsable(r *rules.Run) (j rules.CheckResult) {
	budget, last := r.Task.TokenBudget, r.Last()
	if budget == 0 || r.Outcome == nil || last == nil || r.Next(last) != nil {
		return j
	}
	spent := r.SpentAt(last)
	early := 2*spent <= budget && last.Turn.Asks()
	j.HasEvidence = r.UsedTools()
	if early && endedAtWill(r, last) && r.Ordinary(last.Turn) {
		j.FindInAnswer(last,
			"the loop ended although less than half of its budget was spent",
			"another request",
			fmt.Sprintf("%s after %d of %d tokens", r.DescribeEnd(), spent, budget))
	}
	return j
}
