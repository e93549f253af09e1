// Package models holds faults: loops that lose a conversation, or the user's choice, on the way from
// one model to another, or send it what it cannot read.
package models

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault {
	return slices.Concat(anotherModel, anotherAPI)
}

// anotherModel are the faults on the way from one model to another one.
var anotherModel = []hooks.Fault{
	{
		Name:    "models/gives-up-with-the-first",
		Does:    "When the first model keeps failing, the run fails, and the second one is not asked.",
		Reports: []string{"https://github.com/docker/cagent/commit/7c22ff16"},
		Breaks:  []string{"models/fallback-asked"},
		Make:    hooks.OnTask(func(task *protocol.Task) { task.FallbackModel = "" }),
	},
	{
		Name:    "models/begins-anew-with-the-second",
		Does:    "The second model is asked the prompt from the start, as if the first one had done nothing.",
		Breaks:  []string{"history/only-grows"},
		Without: []protocol.Feature{protocol.SecondAPI}, // where other rules say so
		Make: func() hooks.Mutation {
			return hooks.Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				second := task.FallbackModel
				task.FallbackModel = ""
				outcome := run(task)
				if second != "" && outcome.Status == protocol.Failed {
					task.Model = second
					outcome = run(task)
				}
				return outcome
			}}
		},
	},
	{
		Name:    "models/stays-with-the-first",
		Does:    "The model that the user chooses for a later prompt is ignored.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/45228"},
		Breaks:  []string{"models/switch-as-chosen"},
		Make:    hooks.OnTask(func(task *protocol.Task) { task.PromptModels = nil }),
	},
	{
		Name:     "models/asks-the-chosen-one-once",
		Does:     "The model that the user has chosen gets the prompt, and the one of the task the results of its calls.",
		Profiles: []string{"openai", "anthropic", "openai-responses", "gemini-3"}, // under others it sends reasoning to and fro
		Breaks:   []string{"models/switch-as-chosen"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Task.PromptModels) > 0 && r.Messages[len(r.Messages)-1].Role == neutral.Tool {
				r.Model = r.Task.Model
			}
		}),
	},
	{
		Name:     "models/sends-encrypted-reasoning",
		Does:     "Another model is sent the encrypted reasoning of the first one.",
		Reports:  []string{"https://github.com/openai/codex/issues/17541", "https://github.com/open-webui/open-webui/issues/28240", "https://github.com/NousResearch/hermes-agent/issues/86576", "https://github.com/hackerai-tech/hackerai/pull/1171"},
		Profiles: []string{"openrouter", "openrouter-responses"},
		Breaks:   []string{"models/reasoning-stays-behind"},
		Make:     toAnother(func(m neutral.Message) neutral.Message { return m }),
	},
	{
		Name:      "models/strips-call-signatures",
		Only:      neutral.WholeCalls,
		Elsewhere: "Calls have no signatures, or their providers take them without.",
		Does:      "A call of the first model goes to the second one without its signature, and without a placeholder.",
		Reports:   []string{"https://github.com/earendil-works/pi/issues/6996"},
		Breaks:    []string{"reasoning/call-signature-returned"},
		Make: toAnother(func(m neutral.Message) neutral.Message {
			m = m.Clone()
			for _, c := range m.Calls() {
				c.Signature = nil
			}
			return m
		}),
	},
	{
		Name:    "models/strips-signatures-of-thinking",
		Does:    "The thinking of the first model goes to another one without its signature.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/25005"},
		Breaks:  []string{"reasoning/signature-present"},
		Make: toAnother(func(m neutral.Message) neutral.Message {
			m = m.Clone()
			for _, thought := range m.Reasoning() {
				thought.Signature = ""
			}
			return m
		}),
	},
}

// toAnother makes a loop that sends the turns of one model otherwise to another one.
func toAnother(change func(neutral.Message) neutral.Message) func() hooks.Mutation {
	return hooks.OnLoop(func(l *refloop.Loop) {
		l.OfAnother = func(_ protocol.Task, m neutral.Message) neutral.Message { return change(m) }
	})
}
