// Package sessions holds faults: loops that lose or do again what they had stored, when their
// process is killed and started again.
package sessions

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return faults }

var faults = []hooks.Fault{
	{
		Name:    "sessions/refuses-to-go-on",
		Does:    "The killed process has left a lock, and so the session cannot be opened any more.",
		Reports: []string{"https://github.com/kirodotdev/Kiro/issues/10666", "https://github.com/openclaw/openclaw/issues/70004"},
		Breaks:  []string{"sessions/can-be-resumed"},
		Make:    insteadOfGoingOn(protocol.Outcome{Status: protocol.Failed, Error: "the session is active in another process"}),
	},
	{
		Name:    "sessions/ends-where-it-was",
		Does:    "The session of a killed process is taken for one that is done, and reported so.",
		Reports: []string{"https://github.com/can1357/oh-my-pi/issues/4508"},
		Breaks:  []string{"sessions/can-be-resumed"},
		Make:    insteadOfGoingOn(protocol.Outcome{Status: protocol.Completed, Text: "The session is done."}),
	},
	{
		Name:    "sessions/begins-again",
		Does:    "Nothing is stored before the end of a run: a session whose process was killed begins again.",
		Reports: []string{"https://github.com/AVADSA25/codec/pull/122"},
		Breaks:  []string{"sessions/goes-on-where-it-was"},
		Make:    hooks.OnRestored(func(_ protocol.Task, s *refloop.Stored) { *s = refloop.Stored{} }),
	},
	{
		Name:    "sessions/runs-stored-calls-again",
		Does:    "A session goes on from the answer of the model, whose calls are run again, although their results are stored.",
		Reports: []string{"https://github.com/microsoft/agent-framework/issues/3938"},
		Breaks:  []string{"sessions/stored-result-not-run-again"},
		Make: hooks.OnRestored(func(_ protocol.Task, s *refloop.Stored) {
			for len(s.Messages) > 0 && s.Messages[len(s.Messages)-1].Role == neutral.Tool {
				s.Messages = s.Messages[:len(s.Messages)-1]
			}
		}),
	},
	{
		Name:    "sessions/results-twice",
		Does:    "The newest results of a session that goes on are put into its history twice.",
		Reports: []string{"https://github.com/OpenHands/software-agent-sdk/issues/1782", "https://github.com/google-gemini/gemini-cli/issues/29365"},
		Breaks:  []string{"pairing/one-result-per-call"},
		Make: hooks.OnRestored(func(_ protocol.Task, s *refloop.Stored) {
			if last := len(s.Messages) - 1; last >= 0 && s.Messages[last].Role == neutral.Tool {
				s.Messages = append(s.Messages, s.Messages[last].Clone())
			}
		}),
	},
	{
		Name:    "sessions/prompt-twice",
		Does:    "When a session goes on, its prompt is said again behind what came of it.",
		Reports: []string{"https://github.com/HCF-STUDIOS/openhermit/issues/109"},
		Breaks:  []string{"history/prompts-once"},
		Make: hooks.OnRestored(func(task protocol.Task, s *refloop.Stored) {
			if len(s.Messages) > 0 && len(hooks.OpenCalls(s)) == 0 {
				s.Messages = append(s.Messages, neutral.Says(neutral.User, task.Prompts[s.Said-1]))
			}
		}),
	},
	{
		Name:   "sessions/loses-the-system-prompt",
		Does:   "The system prompt is none of the messages that are stored, and a session goes on without it.",
		Breaks: []string{"history/system-prompt-sent", "history/earlier-messages-unchanged"},
		Make: hooks.OnTask(func(task *protocol.Task) {
			if resumed(*task) {
				task.System = ""
			}
		}),
	},
	{
		Name:    "sessions/leaves-calls-open",
		Does:    "Calls that had no result when the process was killed never get one.",
		Reports: []string{"https://github.com/MoonshotAI/kimi-code/issues/269", "https://github.com/strands-agents/harness-sdk/issues/859"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    leavesOpen,
	},
	{
		Name:    "sessions/answers-open-calls-with-nothing",
		Does:    "Calls that had no result when the process was killed get an empty one.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/pull/102238"},
		Breaks:  []string{"sessions/broken-off-call-told"},
		Make: hooks.OnRestored(func(task protocol.Task, s *refloop.Stored) {
			hooks.AnswerOpen(task, s, false, &neutral.Result{})
		}),
	},
	{
		Name:    "sessions/forgets-open-questions",
		Does:    "A call that waited for the user when the process was killed is answered as broken off, and the user is not asked again.",
		Reports: []string{"https://github.com/letta-ai/letta-code/pull/546"},
		Breaks:  []string{"sessions/pending-approval-asked-again"},
		Make: hooks.OnRestored(func(task protocol.Task, s *refloop.Stored) {
			hooks.AnswerOpen(task, s, true, &neutral.Result{Text: "Error: the question to the user was lost in a restart.", Failed: true})
		}),
	},
	{
		Name:   "sessions/runs-pending-calls",
		Does:   "A call that waited for the user when the process was killed is run when the session goes on.",
		Breaks: []string{"approvals/run-after-approval"},
		Make: hooks.OnTask(func(task *protocol.Task) {
			if !resumed(*task) {
				return
			}
			task.Tools = slices.Clone(task.Tools)
			for i := range task.Tools {
				task.Tools[i].NeedsApproval = false
			}
		}),
	},
}

func resumed(task protocol.Task) bool { return task.Session != nil && task.Session.Resumed }

// insteadOfGoingOn reports an outcome instead of going on with a session.
func insteadOfGoingOn(o protocol.Outcome) func() hooks.Mutation {
	return func() hooks.Mutation {
		return hooks.Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			if !resumed(task) {
				return run(task)
			}
			o.Type, o.ID = protocol.TypeOutcome, task.ID
			return o
		}}
	}
}

// leavesOpen takes the results out of requests that calls got after the restart.
func leavesOpen() hooks.Mutation {
	open := 0 // the place of the results in the history, 0 where there are none
	m := hooks.OnRestored(func(_ protocol.Task, s *refloop.Stored) {
		if last := len(s.Messages) - 1; last >= 0 && s.Messages[last].Role == neutral.Assistant && len(s.Messages[last].Calls()) > 0 {
			open = len(s.Messages)
		}
	})()
	m.Request = func(r *hooks.Request) {
		for open > 0 && open < len(r.Messages) && r.Messages[open].Role == neutral.Tool {
			r.Messages = slices.Delete(slices.Clone(r.Messages), open, open+1)
		}
	}
	return m
}
