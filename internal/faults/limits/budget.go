package limits

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// budget are the faults about what an answer may cost.
var budget = []hooks.Fault{
	{
		Name:    "limits/ignores-the-budget",
		Does:    "Tokens are counted, and a run goes on however many were spent.",
		Reports: []string{"https://github.com/sapientinc/PRAXIST/issues/81", "https://github.com/gabrielkoerich/orch/issues/1678"},
		Breaks:  []string{"limits/budget-respected"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.TokenBudget = 0 }),
	},
	{
		Name:   "limits/budget-of-output-alone",
		Does:   "What a request costs is not counted, only what the model writes.",
		Breaks: []string{"limits/budget-respected"},
		Make:   counting(func(t *neutral.Turn) { t.InputTokens = 0 }),
	},
	{
		Name:    "limits/counts-tokens-twice",
		Does:    "The token counts of a stream, which are cumulative, are added up.",
		Reports: []string{"https://github.com/microsoft/agent-framework/issues/7143", "https://github.com/agno-agi/agno/pull/6454"},
		Breaks:  []string{"limits/budget-usable"},
		Make:    counting(func(t *neutral.Turn) { t.InputTokens, t.OutputTokens = 2*t.InputTokens, 2*t.OutputTokens }),
	},
	{
		Name:   "limits/calls-the-spent-budget-a-success",
		Does:   "A run that ended since its budget was spent is reported as completed.",
		Breaks: []string{"limits/budget-is-told"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if strings.HasPrefix(o.Reason, "the budget of") {
				*o = protocol.Outcome{Status: protocol.Completed, Text: "I looked everywhere.", Usage: o.Usage}
			}
		}),
	},
	{
		Name:   "limits/spent-budget-leaves-calls-open",
		Does:   "The calls of the answer that spent the budget go back without results when the user goes on.",
		Breaks: []string{"pairing/every-call-answered"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.Task.TokenBudget == 0 {
				return
			}
			parts := hooks.Conversation(r.Messages)
			for i := 1; i < len(parts)-1; i++ {
				if last := parts[i][len(parts[i])-1]; last.Role == neutral.Tool {
					parts[i] = withoutResults(parts[i])
				}
			}
			r.Messages = slices.Concat(parts...)
		}),
	},
	{
		Name:   "limits/spent-budget-runs-calls-again",
		Does:   "The calls of the answer that spent the budget are run once more when the user goes on.",
		Breaks: []string{"execution/no-call-run-twice"},
		Make:   runsAgainAtTheNextPrompt,
	},
}

// counting is a loop that counts the tokens of a turn otherwise for its budget, and reports them as
// they are.
func counting(change func(*neutral.Turn)) func() hooks.Mutation {
	return func() hooks.Mutation {
		budget, usage := false, protocol.Usage{}
		return hooks.Mutation{
			Turn: func(t *neutral.Turn) {
				if budget {
					usage.InputTokens += t.InputTokens
					usage.OutputTokens += t.OutputTokens
					change(t)
				}
			},
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				budget = task.TokenBudget > 0
				o := run(task)
				if budget {
					o.Usage = &usage
				}
				return o
			},
		}
	}
}

func withoutResults(messages []neutral.Message) []neutral.Message {
	return slices.DeleteFunc(slices.Clone(messages), func(m neutral.Message) bool { return m.Role == neutral.Tool })
}

// runsAgainAtTheNextPrompt runs the tools of the last answer once more when the user goes on after a
// prompt whose budget was spent.
func runsAgainAtTheNextPrompt() hooks.Mutation {
	var mu sync.Mutex
	var again []func()
	return hooks.Mutation{
		Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			mu.Lock()
			again = append(again, func() { post(r) })
			mu.Unlock()
			return post(r)
		},
		Request: func(r *hooks.Request) {
			mu.Lock()
			runs := again
			again = nil
			mu.Unlock()
			if !r.NextPrompt || r.Task.TokenBudget == 0 {
				return
			}
			for _, run := range runs {
				run()
			}
		},
	}
}
