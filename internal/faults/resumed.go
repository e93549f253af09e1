package faults

import (
	"encoding/json"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// behindFailures rewrites the history of a request of a task in which the user continues after a
// failure: change gets what came of each prompt, and the index of the last one without an answer
// that the user has continued from.
func behindFailures(change func(parts [][]neutral.Message, failed int) [][]neutral.Message) func() Mutation {
	return onRequest(func(r *Request) {
		if !r.Task.ResumeAfterFailure {
			return
		}
		parts := conversation(r.Messages)
		for i := len(parts) - 2; i > 0; i-- {
			if !answeredPrompt(parts[i]) {
				r.Messages = slices.Concat(change(parts, i)...)
				return
			}
		}
	})
}

// onResumed changes the outcome of a task whose last prompt was answered after one without an
// answer. It is told the text that had come of that one.
func onResumed(change func(o *protocol.Outcome, half string)) func() Mutation {
	return func() Mutation {
		half, failed := "", false
		return Mutation{
			Answer: func(a *Answer) {
				if a.BrokeOff() || !a.OK() {
					half, failed = a.Text(), true
				}
			},
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if task.ResumeAfterFailure && failed && o.Status == protocol.Completed {
					change(&o, half)
				}
				return o
			},
		}
	}
}

// keepCallsOf keeps the calls of answers of a kind in the history of the next prompt, with results
// or without.
func keepCallsOf(kind func(*Answer) bool, results func(calls []*neutral.Call) []neutral.Message) func() Mutation {
	return keepOf(func(a *Answer) []neutral.Message {
		calls := a.Calls()
		if !kind(a) || len(calls) == 0 {
			return nil
		}
		turn := neutral.Message{Role: neutral.Assistant}
		for _, c := range calls {
			turn.Parts = append(turn.Parts, c)
		}
		return append([]neutral.Message{turn}, results(calls)...)
	})
}

// keepOf keeps messages of an answer in the history of the next prompt, where the prompt had no
// answer.
func keepOf(messages func(*Answer) []neutral.Message) func() Mutation {
	return func() Mutation {
		kept := map[int][]neutral.Message{} // by the number of their prompt
		prompt := 0
		return Mutation{
			Request: func(r *Request) {
				parts := conversation(r.Messages)
				prompt = len(parts) - 1
				for i, messages := range kept {
					if i < prompt && !answeredPrompt(parts[i]) {
						parts[i] = append(parts[i], messages...)
					}
				}
				r.Messages = slices.Concat(parts...)
			},
			Answer: func(a *Answer) { kept[prompt] = messages(a) },
		}
	}
}

// thoughtsAlone returns the reasoning of an answer that has nothing else.
func thoughtsAlone(a *Answer) []neutral.Message {
	parts := a.Turn().Parts
	if !a.OK() || a.Err != nil || len(parts) == 0 || len(keepParts(parts, isReasoning)) < len(parts) {
		return nil
	}
	return []neutral.Message{{Role: neutral.Assistant, Parts: parts}}
}

func noResults([]*neutral.Call) []neutral.Message { return nil }

// leavesOpen gives up at the calls of a kind, and keeps them in the history of the next prompt
// without their results.
func leavesOpen(bad func(protocol.Task, *neutral.Call) bool) func() Mutation {
	return givingUpAnd(givesUpAt(bad), func(r *Request) {
		open := map[string]bool{} // ids of calls
		rewriteUnanswered(r, func(part []neutral.Message) []neutral.Message {
			for _, m := range part {
				for _, c := range m.Calls() {
					open[c.ID] = bad(r.Task, c)
				}
			}
			return part
		})
		dropResults(r, func(x *neutral.Result) bool { return open[x.CallID] })
	})
}

// interrupted returns results which say that a call was interrupted.
func interrupted(calls []*neutral.Call) []neutral.Message {
	var results []*neutral.Result
	for _, c := range calls {
		results = append(results, &neutral.Result{CallID: c.ID, Name: c.Name, Text: "Error: interrupted", Failed: true})
	}
	return []neutral.Message{answering(results...)}
}

// resumed are faults of loops that go on after a prompt without an answer.
var resumed = []Fault{
	{
		Name:    "failure/ends-at-the-first-failure",
		Does:    "After a prompt that came to no answer the conversation takes no other one.",
		Reports: []string{"https://github.com/open-webui/open-webui/issues/26892"},
		Breaks:  []string{"failure/next-prompt-asked"},
		Make:    onTask(func(t *protocol.Task) { t.ResumeAfterFailure = false }),
	},
	{
		Name:    "failure/asks-what-failed-again",
		Does:    "After a prompt that failed, the model is asked for that one again, and what the user says is lost.",
		Reports: []string{"https://github.com/sbenodiz/ai_agent_ha/pull/51"},
		Breaks:  []string{"failure/next-prompt-asked"},
		Make: behindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
			first := failed
			for first > 1 && !answeredPrompt(parts[first-1]) {
				first--
			}
			return parts[:first+1]
		}),
	},
	{
		Name:    "history/forgets-all-behind-a-failure",
		Does:    "A prompt after one that failed begins a new conversation.",
		Reports: []string{"https://github.com/mckinsey/agents-at-scale-ark/pull/2922", "https://github.com/google-gemini/gemini-cli/issues/22360"},
		Breaks:  []string{"history/only-grows"},
		Make: behindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
			return append(slices.Clone(parts[:1]), parts[failed+1:]...)
		}),
	},
	{
		Name:    "history/keeps-a-failed-prompt-twice",
		Does:    "A prompt that failed occurs twice in the history of the next one: each attempt has added it.",
		Reports: []string{"https://github.com/HKUDS/nanobot/issues/4079", "https://github.com/RooCodeInc/Roo-Code/pull/9249"},
		Breaks:  []string{"history/prompts-once"},
		Make: behindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
			parts[failed] = append(slices.Clone(parts[failed][:1]), parts[failed]...)
			return parts
		}),
	},
	{
		Name:    "egress/keeps-an-empty-answer",
		Does:    "A prompt without an answer leaves an empty one in the history.",
		Reports: []string{"https://github.com/tidyverse/ellmer/issues/709", "https://github.com/defilantech/LLMKube/issues/935"},
		Breaks:  []string{"egress/no-blank-assistant-message", "egress/no-empty-text"},
		Make: behindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
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
		Make:      keepOf(thoughtsAlone),
	},
	{
		Name:    "pairing/leaves-filtered-calls-open",
		Does:    "The calls of a turn that a filter ended stay in the history of the next prompt, and nobody answers them.",
		Reports: []string{"https://github.com/HKUDS/OpenHarness/issues/240", "https://github.com/anomalyco/opencode/issues/21326"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    keepCallsOf(func(a *Answer) bool { return a.OK() && a.Err == nil && a.Finish() == neutral.Filter }, noResults),
	},
	{
		Name:      "pairing/leaves-broken-calls-open",
		Does:      "A call whose arguments are not JSON ends its prompt, and stays in the history of the next one, where nobody answers it.",
		Reports:   []string{"https://github.com/langchain4j/langchain4j/issues/1339"},
		Only:      neutral.TextArguments,
		Elsewhere: "what goes back of such a call is an object.",
		Breaks:    []string{"pairing/every-call-answered", "execution/bad-call-survived"},
		Make:      leavesOpen(func(_ protocol.Task, c *neutral.Call) bool { return unparsed(c) }),
	},
	{
		Name:   "pairing/leaves-made-up-calls-open",
		Does:   "A call of a tool that does not exist ends its prompt, and stays in the history of the next one, where nobody answers it.",
		Breaks: []string{"pairing/every-call-answered", "execution/bad-call-survived"},
		Make:   leavesOpen(func(task protocol.Task, c *neutral.Call) bool { return !knows(task, c.Name) }),
	},
	{
		Name:    "failure/keeps-broken-calls-for-the-next-prompt",
		Does:    "A call whose answer broke off stays in the history of the next prompt, with a result which says so.",
		Reports: []string{"https://github.com/openclaw/openclaw/issues/14322", "https://github.com/earendil-works/pi/issues/4189"},
		Breaks:  []string{"failure/broken-turn-not-kept"},
		Make: keepCallsOf(func(a *Answer) bool {
			return a.BrokeOff() && !slices.ContainsFunc(a.Calls(), func(c *neutral.Call) bool { return !json.Valid([]byte(c.Arguments)) })
		}, interrupted),
	},
	{
		Name:   "outcome/tells-the-failure-that-passed",
		Does:   "A conversation whose last prompt was answered is reported as failed, since one before it was not.",
		Breaks: []string{"outcome/completed"},
		Make: onResumed(func(o *protocol.Outcome, _ string) {
			o.Status, o.Error, o.Text = protocol.Failed, "the provider failed", ""
		}),
	},
	{
		Name:    "outcome/begins-with-half-an-answer",
		Does:    "The text of an answer begins with what had come of the one before that broke off.",
		Reports: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2478"},
		Breaks:  []string{"outcome/final-text"},
		Make:    onResumed(func(o *protocol.Outcome, half string) { o.Text = half + o.Text }),
	},
}
