package variations

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// durable is what these loops claim besides.
var durable = []protocol.Feature{protocol.DurableSessions}

// The reference loop stores each message and each result as soon as it has it. When a session goes
// on, it runs the calls that have no result.
var sessions = []hooks.Variation{
	{
		Name:    "sessions/open-calls-are-told",
		Does:    "Calls that had no result when the process was killed are not run again: the model is told that they were broken off.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-code/pull/771 (an error as the result)", "https://github.com/fastagent-sh/fastagent/pull/26 (the model decides again)", "https://github.com/strands-agents/harness-sdk/issues/1111"},
		With:    durable,
		Make: hooks.OnRestored(func(task protocol.Task, s *refloop.Stored) {
			hooks.AnswerOpen(task, s, false, brokenOff)
		}),
	},
	{
		Name:    "sessions/pending-calls-are-told",
		Does:    "All calls that had no result when the process was killed are answered as broken off, also those about which the user was being asked.",
		Sources: []string{"https://github.com/fastagent-sh/fastagent/pull/26 (an error result for each open call)"},
		With:    durable,
		Shoulds: []string{"sessions/pending-approval-asked-again"},
		Why:     "nothing was run, and a model that still wants it makes the call again",
		Make: hooks.OnRestored(func(task protocol.Task, s *refloop.Stored) {
			hooks.AnswerOpen(task, s, false, brokenOff)
			hooks.AnswerOpen(task, s, true, brokenOff)
		}),
	},
	{
		Name:    "sessions/turns-stored-with-their-results",
		Does:    "A turn is stored once all of its calls have results: without them, the model is asked for it again.",
		Sources: []string{"https://docs.langchain.com/oss/python/langgraph/durable-execution (a step that was not completed begins again)", "https://github.com/NousResearch/hermes-agent/pull/102238 (calls without a result are taken out, and the turn with them)"},
		With:    durable,
		Make: hooks.OnRestored(func(_ protocol.Task, s *refloop.Stored) {
			for len(hooks.OpenCalls(s)) > 0 {
				s.Messages, s.Results = s.Messages[:len(s.Messages)-1], nil
			}
		}),
	},
	{
		Name:    "sessions/results-stored-together",
		Does:    "The results of a turn are stored once it has all of them: without them, all of its calls are run again.",
		Sources: []string{"https://docs.langchain.com/oss/python/langgraph/durable-execution (a node that was not completed is run again)", "https://github.com/evalstate/fast-agent/pull/713 (resumed tool results)"},
		With:    durable,
		Make:    hooks.OnRestored(func(_ protocol.Task, s *refloop.Stored) { s.Results = nil }),
	},
	{
		Name:    "sessions/prompts-stored-with-the-answer",
		Does:    "A prompt is stored once the model has answered it: before that, it is said anew.",
		Sources: []string{"https://openai.github.io/openai-agents-python/sessions/ (the items of a run are stored after it)"},
		With:    durable,
		Make: hooks.OnRestored(func(_ protocol.Task, s *refloop.Stored) {
			if last := len(s.Messages) - 1; last >= 0 && s.Messages[last].Role == neutral.User {
				s.Messages = s.Messages[:last]
				s.Said, s.Outcome = s.Said-1, &protocol.Outcome{Status: protocol.Completed} // of the prompt before
			}
		}),
	},
}

// brokenOff answers a call that was being run when the process was killed.
var brokenOff = &neutral.Result{Text: "Error: the process ended before this call had a result. Whether it was done is not known.", Failed: true}
