// Package steering holds faults: loops that lose, double or misplace a prompt that the user says
// while tools run, or what belongs to these tools.
package steering

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(prompts, tools) }

// prompts are loops that handle the prompt wrongly.
var prompts = []hooks.Fault{
	{
		Name:    "steering/loses-the-prompt",
		Does:    "A prompt that comes while tools run is lost.",
		Reports: []string{"https://github.com/openclaw/openclaw/issues/128008", "https://github.com/nearai/ironclaw/pull/5279", "https://github.com/dp-archive/archive/issues/176"},
		Breaks:  []string{"history/prompts-sent"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				task.Steered = nil
				return run(task)
			}}
		},
	},
	{
		Name:   "steering/sends-the-prompt-twice",
		Does:   "A prompt that comes while tools run is sent with their results, and once more from the queue.",
		Breaks: []string{"history/prompts-once"},
		Make: hooks.OnSteered(func(r *hooks.Request, at int) {
			r.Messages = slices.Insert(slices.Clone(r.Messages), at+1, r.Messages[at])
		}),
	},
	{
		Name:    "steering/puts-the-prompt-before-the-calls",
		Does:    "A prompt that comes while tools run enters the history at once, and the turn that called the tools once they have ended.",
		Breaks:  []string{"steering/behind-the-open-turn"},
		InTurns: []string{"steering/behind-the-open-turn", "history/earlier-messages-unchanged"},
		Make:    hooks.OnSteered(func(r *hooks.Request, at int) { move(r, at, turnBefore(r, at)) }),
	},
	{
		Name:      "steering/puts-the-prompt-before-the-results",
		Does:      "A prompt that comes while tools run stands between the calls and their results.",
		Reports:   []string{"https://github.com/openclaw/openclaw/issues/109375"},
		Unless:    neutral.Items,
		Elsewhere: "an output is found by the id of its call, wherever it stands behind it.",
		Breaks:    []string{"pairing/results-directly-follow", "egress/roles-take-turns"},
		Make:      hooks.OnSteered(func(r *hooks.Request, at int) { move(r, at, turnBefore(r, at)+1) }),
	},
	{
		Name:    "steering/appends-the-prompt-to-a-result",
		Does:    "A prompt that comes while tools run is appended to the result of one of them.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/issues/60543"},
		Breaks:  []string{"history/prompts-sent"},
		Make: hooks.OnSteered(func(r *hooks.Request, at int) {
			said := neutral.Of[*neutral.Text](r.Messages[at].Parts)[0].Text
			before := r.Messages[at-1].Results()
			if len(before) == 0 { // it came late
				return
			}
			before[len(before)-1].Text += "\n\nThe user says: " + said
			r.Messages = slices.Delete(slices.Clone(r.Messages), at, at+1)
		}),
	},
}

// tools are loops that lose what belongs to the tools, or run them again.
var tools = []hooks.Fault{
	{
		Name:   "steering/leaves-interrupted-calls-open",
		Does:   "Tools are interrupted for a prompt, and their calls get no result.",
		Breaks: []string{"pairing/every-call-answered"},
		Make: interrupting(func(r *hooks.Request) {
			hooks.DropResults(r, isInterrupted)
		}),
	},
	{
		Name:    "steering/answers-interrupted-calls-with-nothing",
		Does:    "Tools are interrupted for a prompt, and their results are empty.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/86001"},
		Breaks:  []string{"steering/interruption-told"},
		Make: interrupting(func(r *hooks.Request) {
			hooks.EachPart(r, func(x *neutral.Result) {
				if isInterrupted(x) {
					x.Text, x.Failed = "", false
				}
			})
		}),
	},
	{
		Name:   "steering/forgets-the-open-turn",
		Does:   "The turn whose tools ran when the prompt came is not in the history.",
		Breaks: []string{"history/calls-come-back"},
		Make: hooks.OnSteered(func(r *hooks.Request, at int) {
			from := turnBefore(r, at)
			r.Messages = slices.Delete(slices.Clone(r.Messages), from, at)
		}),
	},
	{
		Name:   "steering/runs-the-tools-again",
		Does:   "When a prompt has come, the tools of the turn are run once more with it in view.",
		Breaks: []string{"execution/no-call-run-twice"},
		Make: func() hooks.Mutation {
			steering := false
			return hooks.Mutation{
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					steering = task.Steering
					return run(task)
				},
				Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
					result := post(r)
					if steering {
						post(r)
					}
					return result
				},
			}
		},
	},
}

// interrupting is a loop that interrupts its tools for a prompt, with a change of its requests.
func interrupting(change func(*hooks.Request)) func() hooks.Mutation {
	return func() hooks.Mutation {
		m := hooks.OnRequest(change)()
		m.Loop = func(l *refloop.Loop) { l.Steering = refloop.InterruptTools }
		return m
	}
}

// isInterrupted reports whether a result is that of a tool which was given up for a prompt.
func isInterrupted(x *neutral.Result) bool {
	return x.Failed && strings.HasPrefix(x.Text, "Error: "+refloop.Interrupted)
}

// turnBefore returns the place of the turn of the model that is the last one before a message.
func turnBefore(r *hooks.Request, at int) int {
	for i, m := range slices.Backward(r.Messages[:at]) {
		if m.Role == neutral.Assistant {
			return i
		}
	}
	return at
}

// move puts a message to an earlier place.
func move(r *hooks.Request, from, to int) {
	all := slices.Clone(r.Messages)
	m := all[from]
	r.Messages = slices.Insert(slices.Delete(all, from, from+1), to, m)
}
