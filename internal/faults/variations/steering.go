package variations

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The reference loop waits for the tools, and sends the prompt behind their results.
var steering = []hooks.Variation{
	{
		Name:    "steering/interrupts-the-tools",
		Does:    "Tools are given up for a prompt of the user, and their results say so.",
		Sources: []string{"https://github.com/microsoft/vscode/issues/297145 (a prompt while a tool call is pending cancels the call)", "https://github.com/vellum-ai/vellum-assistant/pull/31307 (an error as the result of each open call)"},
		Make:    steeringBy(refloop.InterruptTools),
	},
	{
		Name:    "steering/queues-the-prompt",
		Does:    "A prompt that comes while tools run is sent when the one before has its answer.",
		Sources: []string{"https://docs.openclaw.ai/concepts/queue-steering (followup)", "https://github.com/vicoa-ai/vicoa/pull/52 (messages queue by default)"},
		Make:    steeringBy(refloop.QueuePrompts),
	},
	{
		Name:    "steering/interrupted-is-no-error",
		Does:    "Tools are given up for a prompt of the user; their results say so, and are no errors.",
		Sources: []string{"https://github.com/NousResearch/hermes-agent/pull/29100 (a result that says the tool was skipped)"},
		Make: func() hooks.Mutation {
			m := hooks.EachResult(func(x *neutral.Result) {
				x.Failed = x.Failed && !strings.HasPrefix(x.Text, "Error: "+refloop.Interrupted)
			})()
			m.Loop = steeringBy(refloop.InterruptTools)().Loop
			return m
		},
	},
}

func steeringBy(way refloop.Steering) func() hooks.Mutation {
	return func() hooks.Mutation {
		return hooks.Mutation{Loop: func(l *refloop.Loop) { l.Steering = way }}
	}
}
