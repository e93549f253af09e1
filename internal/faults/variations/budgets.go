package variations

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// budgets are the ways in which loops keep to what an answer may cost. The reference loop looks
// before each request, when the tools of the last answer have run, and has a budget for each prompt.
var budgets = []hooks.Variation{
	{
		Name:    "endings/budget-before-the-tools",
		Does:    "An answer that spends the budget ends the run before its tools are run; its calls are answered by a note.",
		Sources: []string{"https://ai.pydantic.dev/agents/#usage-limits (UsageLimitExceeded is raised as soon as the response is there)"},
		Make: func() hooks.Mutation {
			spent := spending{}
			m := spent.mutation()
			m.Tool = func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
				if spent.over() {
					return hooks.ToolResult{Status: 500, Body: "not run: the budget is spent"}
				}
				return post(r)
			}
			return m
		},
	},
	{
		Name:    "endings/budget-with-a-reserve",
		Does:    "A run ends when another answer like the last one would spend the budget.",
		Sources: []string{"https://github.com/TauricResearch/TradingAgents/issues/515 (a reservation before each call)", "https://ai.pydantic.dev/agents/#usage-limits (count_tokens_before_request)"},
		Make: func() hooks.Mutation {
			spent := spending{}
			m := spent.mutation()
			m.Request = func(r *hooks.Request) {
				if spent.of(r); spent.budget > 0 && spent.tokens+spent.last >= spent.budget {
					r.Abort()
				}
			}
			return m
		},
	},
	{
		Name:    "endings/budget-of-the-conversation",
		Does:    "All prompts of a conversation share one budget.",
		Sources: []string{"https://github.com/NousResearch/hermes-agent/issues/91713 (a cumulative budget of the session)"},
		Make: func() hooks.Mutation {
			spent := spending{whole: true}
			m := spent.mutation()
			m.Request = func(r *hooks.Request) {
				if spent.over() {
					r.Abort()
				}
			}
			return m
		},
	},
	{
		Name:    "endings/budget-spent-by-an-answer-fails",
		Does:    "An answer that spends the budget is not returned: the run fails.",
		Sources: []string{"https://ai.pydantic.dev/agents/#usage-limits (UsageLimitExceeded)"},
		Make: func() hooks.Mutation {
			spent := spending{}
			m := spent.mutation()
			around := m.Around
			m.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := around(task, run)
				if o.Status == protocol.Completed && spent.over() {
					o.Status, o.Text, o.Error = protocol.Failed, "", "the budget is spent"
				}
				return o
			}
			return m
		},
	},
	{
		Name:    "endings/budget-last-word",
		Does:    "When the budget is spent, the model is asked once more, and kept from calling tools.",
		Sources: []string{"https://github.com/microsoft/agent-framework/issues/6934 (a graceful wrap-up: the model is asked to finish with what it has)"},
		Unless:  neutral.NeverBarred, Elsewhere: "a request cannot keep the model from calling tools.",
		Shoulds: []string{"limits/budget-respected"},
		Why:     "The user gets an answer for what was spent.",
		Make: func() hooks.Mutation {
			spent := spending{}
			m := spent.mutation()
			asked := false
			m.Request = func(r *hooks.Request) {
				switch spent.of(r); {
				case asked && !r.NextPrompt && spent.budget > 0:
					r.Abort()
				case spent.over():
					asked = true
					choosing(neutral.ChoiceNone)(r)
				default:
					asked = false
				}
			}
			around := m.Around
			m.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				return around(task, func(t protocol.Task) protocol.Outcome {
					t.TokenBudget = 0 // the request hook keeps to it
					return run(t)
				})
			}
			return m
		},
	},
}

// spending counts what the answers to a prompt cost, or those of the whole conversation.
type spending struct {
	budget, tokens, last int
	whole                bool
}

func (s *spending) over() bool { return s.budget > 0 && s.tokens >= s.budget }

// of begins anew at another prompt.
func (s *spending) of(r *hooks.Request) {
	if r.NextPrompt && !s.whole {
		s.tokens, s.last = 0, 0
	}
}

// mutation counts, and changes nothing.
func (s *spending) mutation() hooks.Mutation {
	return hooks.Mutation{
		Request: s.of,
		Turn: func(t *neutral.Turn) {
			s.last = t.InputTokens + t.OutputTokens
			s.tokens += s.last
		},
		Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			s.budget = task.TokenBudget
			return run(task)
		},
	}
}
