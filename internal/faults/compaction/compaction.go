// Package compaction holds faults: loops that go wrong where they make their history shorter.
package compaction

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(when, what, byTheProvider) }

// when are those about when a history is made shorter, and how often.
var when = []hooks.Fault{
	{
		Name:    "compaction/ignores-the-limit",
		Does:    "The history is never made shorter, and the run ends at the provider's refusal.",
		Reports: []string{"https://github.com/entropy-research/Devon/issues/88", "https://github.com/evalstate/fast-agent/issues/621"},
		Breaks:  []string{"compaction/conversation-goes-on"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.ContextLimit = 0 }),
	},
	{
		Name:    "compaction/gives-up-near-the-limit",
		Does:    "A run whose history is near the limit is ended with an error.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/8211"},
		Breaks:  []string{"outcome/no-failure-of-its-own"},
		Make: func() hooks.Mutation {
			limit := 0
			return hooks.Mutation{
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					limit, task.ContextLimit = task.ContextLimit, 0
					return run(task)
				},
				Request: func(r *hooks.Request) {
					if limit > 0 && size(r) > limit*3/4 {
						r.Abort()
					}
				},
			}
		},
	},
	{
		Name:    "compaction/believes-in-a-larger-context",
		Does:    "The limit is taken for twice as large, and the history only made shorter once the provider has refused a request.",
		Reports: []string{"https://github.com/melagiri/code-insights/issues/271"},
		Breaks:  []string{"compaction/limit-kept"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.ContextLimit *= 2 }),
	},
	{
		Name:    "compaction/insists-after-a-refusal",
		Does:    "A request that was refused for its length is sent once more with another system prompt, and only then made shorter.",
		Reports: []string{"https://github.com/openclaw/openclaw/issues/10613", "https://github.com/openclaw/openclaw/issues/150447"},
		Breaks:  []string{"compaction/shorter-after-refusal"},
		Make: func() hooks.Mutation {
			var last []neutral.Message
			refused := false
			return hooks.Mutation{
				Request: func(r *hooks.Request) {
					if isForSummary(r) || r.Task.ContextLimit == 0 {
						return
					}
					if refused {
						r.Messages, r.System = last, strings.TrimSpace(r.System+"\n\nAnswer briefly.")
					}
					last, refused = r.Request.Clone().Messages, false
				},
				Answer: func(a *hooks.Answer) { refused = refused || a.Status == 400 },
			}
		},
	},
	{
		Name:    "compaction/summarises-without-end",
		Does:    "A summary is asked for a dozen times before the conversation goes on.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/24179", "https://github.com/anthropics/claude-code/issues/13379"},
		Breaks:  []string{"compaction/ends"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			for range 12 {
				if isForSummary(r) {
					r.AskAgain()
				}
			}
		}),
	},
}

// what are those about what becomes of a history.
var what = []hooks.Fault{
	{
		Name:    "compaction/drops-the-prompt",
		Does:    "Of a history that is too long only the newest turn stays, without the prompt that is being answered.",
		Reports: []string{"https://github.com/docker/docker-agent/issues/1863"},
		Breaks:  []string{"compaction/prompt-stays"},
		Make:    shortened(func(m []neutral.Message) []neutral.Message { return begin(neutral.Says(neutral.User, "Go on."), m[2:]) }),
	},
	{
		Name:    "compaction/drops-the-system-prompt",
		Does:    "Once the history was made shorter, the system prompt is no longer sent.",
		Reports: []string{"https://github.com/microsoft/semantic-kernel/issues/12612"},
		Breaks:  []string{"history/system-prompt-sent"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Messages) > 0 && strings.HasPrefix(r.Messages[0].Text(), refloop.SummaryBegins) {
				r.System = ""
			}
		}),
	},
	{
		Name:    "compaction/keeps-results-without-calls",
		Does:    "The cut through the history is between the calls of the newest turn and their results.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/34282", "https://github.com/microsoft/semantic-kernel/issues/12708", "https://github.com/langchain-ai/langchainjs/pull/9740"},
		Breaks:  []string{"pairing/no-orphan-result", "egress/roles-take-turns"},
		Make:    shortened(func(m []neutral.Message) []neutral.Message { return without(m, neutral.Assistant) }),
	},
	{
		Name:    "compaction/keeps-calls-without-results",
		Does:    "The results of the newest turn go into the summary, and its calls stay.",
		Reports: []string{"https://github.com/digitallyinduced/haskell-agent/pull/219"},
		Breaks:  []string{"pairing/every-call-answered", "egress/roles-take-turns"},
		InItems: []string{"pairing/every-call-answered", "history/calls-come-back"},
		InParts: []string{"pairing/every-call-answered", "history/calls-come-back"},
		ByName:  []string{"pairing/every-call-answered"},
		Make:    shortened(func(m []neutral.Message) []neutral.Message { return without(m, neutral.Tool) }),
	},
	{
		Name:    "compaction/strips-the-reasoning-of-the-newest-turn",
		Does:    "The reasoning of the turn that stays is cut out of it.",
		Reports: []string{"https://github.com/openclaw/openclaw/issues/85717", "https://github.com/bastani-inc/atomic/pull/1411"},
		Breaks:  []string{"reasoning/resent-on-tool-turns"},
		InItems: []string{"reasoning/resent-on-tool-turns", "reasoning/details-come-back"},
		Unless:  neutral.WholeCalls, Elsewhere: "what is signed is the call itself.",
		Needs: wire.SealedReasoning,
		Make: shortened(func(m []neutral.Message) []neutral.Message {
			bare := slices.Clone(m)
			for i := range bare {
				bare[i].Parts = hooks.KeepParts(bare[i].Parts, func(p neutral.Part) bool { return !hooks.IsReasoning(p) })
			}
			return bare
		}),
	},
	{
		Name:    "compaction/summary-as-the-answer",
		Does:    "The caller gets the summary of the history for the answer.",
		Reports: []string{"https://github.com/adolfousier/opencrabs/pull/208"},
		Breaks:  []string{"outcome/final-text"},
		Make: func() hooks.Mutation {
			asked, summary := false, ""
			return hooks.Mutation{
				Request: func(r *hooks.Request) { asked = isForSummary(r) },
				Turn: func(t *neutral.Turn) {
					if asked {
						summary = t.Text()
					}
				},
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if summary != "" && o.Status == protocol.Completed {
						o.Text = summary
					}
					return o
				},
			}
		},
	},
	{
		Name:   "compaction/runs-tools-again",
		Does:   "The first call after the history was made shorter is run twice.",
		Breaks: []string{"execution/no-call-run-twice"},
		Make: func() hooks.Mutation {
			shorter := false
			return hooks.Mutation{
				Shortened: func(m []neutral.Message) []neutral.Message {
					shorter = true
					return m
				},
				Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
					if shorter {
						shorter = false
						post(r)
					}
					return post(r)
				},
			}
		},
	},
}

// isForSummary reports whether a request asks for a summary.
func isForSummary(r *hooks.Request) bool { return r.System == refloop.SummaryPrompt }

// size returns how many tokens the texts of a request have, which are nearly all of it.
func size(r *hooks.Request) int {
	bytes := 0
	hooks.EachPart(r, func(p *neutral.Result) { bytes += len(p.Text) })
	return bytes / 4
}

// shortened changes a history of a summary, the prompt and the newest turn, once it is shorter.
func shortened(change func([]neutral.Message) []neutral.Message) func() hooks.Mutation {
	return func() hooks.Mutation { return hooks.Mutation{Shortened: change} }
}

func begin(first neutral.Message, rest []neutral.Message) []neutral.Message {
	return append([]neutral.Message{first}, rest...)
}

// without returns messages but for those of a role.
func without(messages []neutral.Message, role neutral.Role) []neutral.Message {
	return slices.DeleteFunc(slices.Clone(messages), func(m neutral.Message) bool { return m.Role == role })
}
