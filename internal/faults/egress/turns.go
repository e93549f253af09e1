package egress

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// turns are loops that add messages where none may be, or take the tools away.
var turns = []hooks.Fault{
	{
		Name:   "egress/begins-with-the-assistant",
		Does:   "A greeting of the assistant is before the first prompt.",
		Breaks: []string{"egress/user-comes-first"},
		Make:   hooks.OnRequest(func(r *hooks.Request) { r.Begin(neutral.Says(neutral.Assistant, "How can I help?")) }),
	},
	{
		Name:    "egress/system-as-a-message",
		Does:    "The system prompt is sent as the first message too.",
		Breaks:  []string{"egress/system-stands-apart", "history/system-prompt-once"},
		InParts: []string{"egress/known-roles"},
		ByName:  []string{"history/system-prompt-once"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.System != "" {
				r.Begin(neutral.Says(neutral.System, r.System))
			}
		}),
	},
	{
		Name:    "egress/reminds-before-the-user-speaks",
		Does:    "In front of every later prompt is a reminder of the role system.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/73821"},
		Breaks:  []string{"egress/system-stands-apart"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { beforeLaterPrompts(r, neutral.Says(neutral.System, "Be brief.")) }),
	},
	{
		Name:    "egress/a-line-break-before-calls",
		Does:    "A turn that only called tools goes back with a line break as its text.",
		Reports: []string{"https://github.com/vercel/ai/issues/6254"},
		Breaks:  []string{"egress/no-white-text"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			if len(m.Parts) > 0 && hooks.IsCall(m.Parts[0]) {
				m.Parts = slices.Insert(m.Parts, 0, neutral.Part(&neutral.Text{Text: "\n\n"}))
			}
		}),
	},
	{
		Name:   "egress/sums-up-without-tools",
		Does:   "From the second round on the tools are left out of the requests, as if the model had only to sum up.",
		Breaks: []string{"egress/tools-stay-defined", "history/tools-stay"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Messages) > 2 {
				r.Tools = nil
			}
		}),
	},
	{
		Name:   "egress/takes-the-tools-away-at-the-limit",
		Does:   "In the last request that the turn limit allows the tools are left out, so that the model has to answer.",
		Breaks: []string{"egress/tools-stay-defined"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.Rounds()+1 == r.Task.MaxTurns && len(r.Messages) > 1 {
				r.Tools = nil
			}
		}),
	},
	{
		Name:    "egress/keeps-an-empty-answer",
		Does:    "A prompt without an answer leaves an empty one in the history.",
		Reports: []string{"https://github.com/tidyverse/ellmer/issues/709", "https://github.com/defilantech/LLMKube/issues/935"},
		Breaks:  []string{"egress/no-blank-assistant-message", "egress/no-empty-text"},
		Make: hooks.BehindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
			parts[failed] = append(slices.Clone(parts[failed]), neutral.Says(neutral.Assistant, ""))
			return parts
		}),
	},
	{
		Name:      "egress/keeps-a-thought-alone",
		Does:      "What the model thought before it was cut stays in the history of the next prompt, with nothing behind it.",
		Only:      neutral.Items,
		Elsewhere: "a turn is one message, and its reasoning is not parted from it.",
		Reports:   []string{"https://github.com/openclaw/openclaw/issues/19121", "https://github.com/lukacf/meerkat/pull/25", "https://github.com/openai/openai-agents-js/pull/1280"},
		Breaks:    []string{"egress/reasoning-followed"},
		Make:      hooks.KeepOf(thoughtsAlone),
	},
}

// thoughtsAlone returns the reasoning of an answer that has nothing else.
func thoughtsAlone(a *hooks.Answer) []neutral.Message {
	parts := a.Turn().Parts
	if !a.OK() || a.Err != nil || len(parts) == 0 || len(hooks.KeepParts(parts, hooks.IsReasoning)) < len(parts) {
		return nil
	}
	return []neutral.Message{{Role: neutral.Assistant, Parts: parts}}
}
