// Package limits holds faults: loops that do not keep the limits of a task.
package limits

import (
	"context"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, budget) }

var basic = []hooks.Fault{
	{
		Name:    "limits/has-its-own-limit",
		Does:    "The turn limit is two turns higher than the one that was set.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/4204"},
		Breaks:  []string{"limits/turn-limit-respected"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.MaxTurns += 2 }),
	},
	{
		Name:   "limits/calls-the-limit-a-success",
		Does:   "A run that ended at its turn limit is reported as completed.",
		Breaks: []string{"limits/limit-is-told"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if strings.HasPrefix(o.Reason, "the limit of") {
				*o = protocol.Outcome{Status: protocol.Completed, Text: "I looked everywhere."}
			}
		}),
	},
	{
		Name:    "limits/stops-one-turn-early",
		Does:    "The turn limit is one turn lower than the one that was set.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/4204"},
		Breaks:  []string{"limits/all-turns-allowed"},
		Make: hooks.OnTask(func(t *protocol.Task) {
			if t.MaxTurns > 1 {
				t.MaxTurns--
			}
		}),
	},
	{
		Name:    "limits/stops-after-ten-turns",
		Does:    "A run ends after ten turns, however many were allowed.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/4204"},
		Breaks:  []string{"limits/all-turns-allowed", "outcome/no-failure-of-its-own"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.MaxTurns = min(t.MaxTurns, 10) }),
	},
	{
		Name:   "limits/counts-attempts",
		Does:   "A request that failed counts as a turn.",
		Breaks: []string{"limits/all-turns-allowed"},
		Make: func() hooks.Mutation {
			failed, calls := 0, false
			return hooks.Mutation{
				Answer: func(a *hooks.Answer) {
					if calls = len(a.Calls()) > 0; !a.OK() {
						failed++
					}
				},
				Request: func(r *hooks.Request) {
					if calls && failed > 0 && r.Rounds()+failed >= r.Task.MaxTurns {
						r.Abort()
					}
				},
			}
		},
	},
	{
		Name:   "limits/counts-calls",
		Does:   "Each call counts as a turn.",
		Breaks: []string{"limits/all-turns-allowed", "outcome/no-failure-of-its-own"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			made := 0
			hooks.EachPart(r, func(*neutral.Call) { made++ })
			if made >= r.Task.MaxTurns && made > r.Rounds() {
				r.Abort()
			}
		}),
	},
	{
		Name:    "limits/asks-after-the-end",
		Does:    "After the model's answer the loop asks once more.",
		Reports: []string{"https://github.com/anomalyco/opencode/pull/11152"},
		Breaks:  []string{"limits/no-request-after-the-end", "egress/ends-with-the-user", "egress/last-message"},
		Make: func() hooks.Mutation {
			var last *hooks.Request
			var turn *neutral.Turn
			return hooks.Mutation{
				Request: func(r *hooks.Request) { last = r },
				Turn:    func(t *neutral.Turn) { turn = t },
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if o.Status == protocol.Completed && last != nil && turn != nil {
						end := neutral.Says(neutral.Assistant, o.Text)
						if said := neutral.Of[*neutral.Text](turn.Parts); len(said) > 0 && said[len(said)-1].Text == o.Text {
							end.Parts = nil
							for _, text := range said { // with what belongs to each, such as a phase
								end.Parts = append(end.Parts, text)
							}
						}
						for _, block := range neutral.Of[*neutral.Foreign](turn.Parts) {
							end.Parts = append(end.Parts, block)
						}
						last.Add(end)
						last.AskAgain()
					}
					return o
				},
			}
		},
	},
	{
		Name:    "limits/asks-twice",
		Does:    "Each request is sent twice, and the first answer dropped.",
		Reports: []string{"https://github.com/Mintplex-Labs/anything-llm/issues/1360", "https://github.com/continuedev/continue/issues/7452"},
		Breaks:  []string{"limits/answer-asked-for-once"},
		Make:    sendsTwice,
	},
	{
		Name:    "limits/waits-for-a-silent-tool",
		Does:    "A tool is waited for, however long it takes.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/18594", "https://github.com/anthropics/claude-code/issues/34565"},
		Breaks:  []string{"limits/silent-tool-given-up"},
		Make: hooks.OnTool(func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			r.Context = context.WithoutCancel(r.Context)
			return post(r)
		}),
	},
}
