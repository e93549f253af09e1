package faults

import (
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// egressTurns are loops that add messages where none may be, or take the tools away.
var egressTurns = []Fault{
	{
		Name:   "egress/begins-with-the-assistant",
		Does:   "A greeting of the assistant is before the first prompt.",
		Breaks: []string{"egress/user-comes-first"},
		Make:   onRequest(func(r *Request) { r.Begin(neutral.Says(neutral.Assistant, "How can I help?")) }),
	},
	{
		Name:    "egress/system-as-a-message",
		Does:    "The system prompt is sent as the first message too.",
		Breaks:  []string{"egress/system-stands-apart", "history/system-prompt-once"},
		InParts: []string{"egress/known-roles"},
		Make: onRequest(func(r *Request) {
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
		Make:    onRequest(func(r *Request) { beforeLaterPrompts(r, neutral.Says(neutral.System, "Be brief.")) }),
	},
	{
		Name:    "egress/a-line-break-before-calls",
		Does:    "A turn that only called tools goes back with a line break as its text.",
		Reports: []string{"https://github.com/vercel/ai/issues/6254"},
		Breaks:  []string{"egress/no-white-text"},
		Make: eachTurn(func(m *neutral.Message) {
			if len(m.Parts) > 0 && isCall(m.Parts[0]) {
				m.Parts = slices.Insert(m.Parts, 0, neutral.Part(&neutral.Text{Text: "\n\n"}))
			}
		}),
	},
	{
		Name:   "egress/sums-up-without-tools",
		Does:   "From the second round on the tools are left out of the requests, as if the model had only to sum up.",
		Breaks: []string{"egress/tools-stay-defined", "history/tools-stay"},
		Make: onRequest(func(r *Request) {
			if len(r.Messages) > 2 {
				r.Tools = nil
			}
		}),
	},
	{
		Name:   "egress/takes-the-tools-away-at-the-limit",
		Does:   "In the last request that the turn limit allows the tools are left out, so that the model has to answer.",
		Breaks: []string{"egress/tools-stay-defined"},
		Make: onRequest(func(r *Request) {
			if r.Rounds()+1 == r.Task.MaxTurns && len(r.Messages) > 1 {
				r.Tools = nil
			}
		}),
	},
}
