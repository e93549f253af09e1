// Package subagents holds faults: loops that mix up the conversations of an agent and its
// sub-agents, ask these otherwise than they were told, or lose what came of it.
package subagents

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(threads, asked, results) }

// threads are loops that mix up conversations, or the tools in them.
var threads = []hooks.Fault{
	{
		Name:    "sub-agents/hands-on-the-calls-of-the-caller",
		Does:    "The conversation with a sub-agent begins with the calls and results of its caller.",
		Reports: []string{"https://github.com/mastra-ai/mastra/pull/13927", "https://github.com/alibaba/spring-ai-alibaba/pull/3354"},
		Breaks:  []string{"sub-agents/own-thread"},
		Make: hooks.BeforeDelegated(func(caller []neutral.Message) []neutral.Message {
			return slices.Clone(caller[:len(caller)-1]) // the last turn has no results yet
		}),
	},
	{
		Name:    "sub-agents/adds-what-the-sub-agent-did",
		Does:    "The calls and results of a sub-agent are put into the history of its caller.",
		Reports: []string{"https://github.com/huggingface/smolagents/issues/2424"},
		Breaks:  []string{"sub-agents/own-thread"},
		Make:    addsWhatWasDone,
	},
	{
		Name:    "sub-agents/offers-the-tools-of-the-caller",
		Does:    "A sub-agent is offered the tools of its caller besides its own, itself among them.",
		Reports: []string{"https://github.com/jin-bo/agentao/pull/255"},
		Breaks:  []string{"sub-agents/own-tools"},
		Make: hooks.OnDelegatedTask(func(caller protocol.Task, task *protocol.Task) {
			task.Tools = slices.Concat(task.Tools, caller.Tools)
		}),
	},
	{
		Name:   "sub-agents/offers-all-tools-to-the-caller",
		Does:   "The tools of the sub-agents are in one list with those of their caller, who is offered all.",
		Breaks: []string{"sub-agents/own-tools"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.OfSubAgent() {
				return
			}
			all := slices.Clone(r.Tools)
			for _, t := range r.Tools {
				if t.Agent != nil {
					all = append(all, t.Agent.Tools...)
				}
			}
			r.Tools = all
		}),
	},
}

// addsWhatWasDone puts the last round of a sub-agent behind the result that it gave to its caller.
func addsWhatWasDone() hooks.Mutation {
	var done []neutral.Message
	return hooks.OnRequest(func(r *hooks.Request) {
		if r.OfSubAgent() {
			if n := len(r.Messages); done == nil && n > 2 && r.Messages[n-1].Role == neutral.Tool {
				done = slices.Clone(r.Messages[n-2:])
			}
			return
		}
		if at := behindDelegated(r); at > 0 && done != nil {
			r.Messages = slices.Concat(r.Messages[:at], done, r.Messages[at:])
		}
	})()
}

// behindDelegated returns the place behind the first results of sub-agents, 0 where there are none.
func behindDelegated(r *hooks.Request) int {
	for i, m := range r.Messages {
		if slices.ContainsFunc(m.Results(), func(x *neutral.Result) bool { return isAgent(r, x.Name) }) {
			return i + 1
		}
	}
	return 0
}

func isAgent(r *hooks.Request, tool string) bool {
	return slices.ContainsFunc(r.Tools, func(t protocol.Tool) bool { return t.Name == tool && t.Agent != nil })
}

// asked are loops that ask sub-agents otherwise than they were told.
var asked = []hooks.Fault{
	{
		Name:   "sub-agents/forgets-their-instructions",
		Does:   "A sub-agent has the instructions of its caller, and not its own.",
		Breaks: []string{"history/system-prompt-sent"},
		Make: hooks.OnDelegatedTask(func(caller protocol.Task, task *protocol.Task) {
			task.System = caller.System
		}),
	},
	{
		Name:    "sub-agents/asks-in-its-own-words",
		Does:    "A sub-agent is told to do its work, and not what the model asks it.",
		Reports: []string{"https://github.com/google-gemini/gemini-cli/issues/25533"},
		Breaks:  []string{"history/prompts-sent"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Delegate: func(caller []neutral.Message, task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				if calls := caller[len(caller)-1].Calls(); len(calls) == 1 { // of several nobody could tell which is which
					task.Prompts = []string{"Do your work."}
				}
				return run(task)
			}}
		},
	},
	{
		Name:    "sub-agents/asks-twice",
		Does:    "A sub-agent that has answered is asked the same once more.",
		Reports: []string{"https://github.com/xorbitsai/xagent/issues/664"},
		Breaks:  []string{"execution/no-call-run-twice"},
		Make: hooks.OnDelegate(func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			came := run(task)
			run(task)
			return came
		}),
	},
	{
		Name:   "sub-agents/asks-one-in-a-turn",
		Does:   "Of several sub-agents that are called in a turn only one is asked, and the others are answered as if they had been.",
		Breaks: []string{"execution/every-call-run"},
		Make: func() hooks.Mutation {
			var asked atomic.Bool
			return hooks.OnDelegate(func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				if asked.Swap(true) {
					return protocol.Outcome{Status: protocol.Completed, Text: "The sub-agent has been asked."}
				}
				return run(task)
			})()
		},
	},
	{
		Name:   "sub-agents/gives-them-the-limit-of-the-caller",
		Does:   "A sub-agent has the turn limit of its caller, and not its own.",
		Breaks: []string{"limits/turn-limit-respected"},
		Make: hooks.OnDelegatedTask(func(caller protocol.Task, task *protocol.Task) {
			task.MaxTurns = caller.MaxTurns
		}),
	},
}

// results are loops that lose what came of a sub-agent.
var results = []hooks.Fault{
	{
		Name:    "sub-agents/answers-that-it-was-asked",
		Does:    "The result of a call of a sub-agent says that it is done, and not what it answered.",
		Reports: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2950"},
		Breaks:  []string{"execution/result-reaches-the-model"},
		Make: hooks.OnDelegate(func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			came := run(task)
			if came.Status == protocol.Completed {
				came.Text = "The sub-agent is done."
			}
			return came
		}),
	},
	{
		Name:    "sub-agents/mixes-up-their-answers",
		Does:    "The answers of sub-agents that work at the same time are given to the calls of each other.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/89849"},
		Breaks:  []string{"pairing/result-carries-its-call-id"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.OfSubAgent() {
				return
			}
			r.EachRound(func(round *hooks.Round) {
				if n := len(round.Results); n > 1 && isAgent(r, round.Results[0].Name) && isAgent(r, round.Results[1].Name) {
					round.Results[0].Text, round.Results[1].Text = round.Results[1].Text, round.Results[0].Text
				}
			})
		}),
	},
	{
		Name:   "sub-agents/takes-no-answer-for-one",
		Does:   "A sub-agent that came to no answer is a call that went well, with nothing to say.",
		Breaks: []string{"execution/failure-answered", "execution/failure-is-flagged"},
		Make: hooks.OnDelegate(func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			came := run(task)
			came.Status = protocol.Completed
			return came
		}),
	},
	{
		Name:    "sub-agents/ends-with-its-sub-agent",
		Does:    "The error of a sub-agent ends the run of its caller.",
		Reports: []string{"https://github.com/langchain-ai/deepagents/pull/954"},
		Breaks:  []string{"execution/bad-call-survived"},
		Make: func() hooks.Mutation {
			var mu sync.Mutex
			failed := false
			m := hooks.OnDelegate(func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				came := run(task)
				mu.Lock()
				failed = failed || came.Status != protocol.Completed
				mu.Unlock()
				return came
			})()
			m.Request = func(r *hooks.Request) {
				mu.Lock()
				defer mu.Unlock()
				if failed && !r.OfSubAgent() {
					r.Abort()
				}
			}
			return m
		},
	},
}
