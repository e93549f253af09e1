// Package finish holds faults: loops that misread why the model stopped.
package finish

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	messageswire "github.com/loopproof/loopproof/internal/refloop/messages"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, words, pauses) }

var basic = []hooks.Fault{
	{
		Name:      "finish/repairs-a-cut-call",
		Does:      "A call that the token limit cut off is completed and run.",
		Reports:   []string{"https://github.com/QwenLM/qwen-code/pull/2021", "https://github.com/ahwurm/localharness/issues/77"},
		Only:      neutral.TextArguments,
		Elsewhere: "a call that was cut off is not JSON, and is left out.",
		Breaks:    []string{"finish/cut-call-not-run"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			calls := a.Calls()
			if a.Finish() == neutral.Length && len(calls) == 1 && calls[0].Arguments != "" && hooks.Unparsed(calls[0]) {
				calls[0].Arguments += `"}`
				a.SetCalls(calls...)
				a.SetFinish(neutral.Calls)
			}
		}),
	},
	{
		Name:      "finish/takes-cut-arguments-for-none",
		Does:      "A call that the token limit cut off before its arguments is run without any.",
		Only:      neutral.TextArguments,
		Unless:    neutral.Items,
		Elsewhere: "a call without arguments is a whole one; a turn of items says of each call whether it is whole.",
		Breaks:    []string{"finish/truncated-turn-not-run"},
		Make: hooks.OnTurn(func(t *neutral.Turn) {
			if calls := t.Calls(); t.Finish == neutral.Length && len(calls) == 1 && calls[0].Arguments == "" {
				t.Finish = neutral.Calls
			}
		}),
	},
	{
		Name:      "finish/runs-whole-calls-of-a-cut-turn",
		Does:      "Of a turn that the token limit cut off, the calls that came whole are run.",
		Reports:   []string{"https://github.com/vercel/ai/issues/19063"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"finish/truncated-turn-not-run"},
		Make: hooks.OnTurn(func(t *neutral.Turn) {
			whole := slices.ContainsFunc(t.Calls(), func(c *neutral.Call) bool { return gjson.Valid(c.Arguments) })
			if t.Finish == neutral.Length && whole {
				t.Finish = neutral.Calls
			}
		}),
	},
	{
		Name:    "finish/asks-on-behind-half-an-answer",
		Does:    "After an answer that the token limit cut, the loop asks for the rest with the half at the end of the request.",
		Dialect: messageswire.Dialect{}.Name(),
		Reports: []string{"https://github.com/thClaws/thClaws/issues/112", "https://github.com/conductor-oss/conductor/issues/943"},
		Breaks:  []string{"egress/ends-with-the-user"},
		Make:    hooks.GoesOn(hooks.WithHalfAlone, hooks.Joined),
	},
	{
		Name:    "finish/asks-for-the-rest-of-a-note",
		Does:    "After an answer that the token limit cut, the model is asked to go on, with a note in the place of the half.",
		Reports: []string{"https://github.com/octos-org/octos/issues/226"},
		Breaks:  []string{"finish/half-in-request-for-rest"},
		Make:    hooks.GoesOn(hooks.WithNote, hooks.Joined),
	},
	{
		Name:   "finish/reports-the-rest-alone",
		Does:   "The rest of an answer that the token limit cut is reported without the half that was there.",
		Breaks: []string{"finish/half-in-answer"},
		Make:   hooks.GoesOn(hooks.WithHalf, hooks.Alone),
	},
	{
		Name:      "finish/sends-a-cut-call-back",
		Does:      "A call that the token limit cut goes back as it was cut, with an error as its result.",
		Reports:   []string{"https://github.com/esengine/DeepSeek-Reasonix/issues/9566"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which always parse.",
		Breaks:    []string{"egress/arguments-parse"},
		Make:      hooks.AsksForTheCall(func(cut string) string { return cut }),
	},
	{
		Name: "finish/ignores-length",
		Does: "An answer that ended with length is treated as a whole one.",
		Reports: []string{
			"https://github.com/openai/openai-agents-js/pull/1741",
			"https://github.com/openai/openai-agents-python/issues/4513",
			"https://github.com/prism-php/prism/issues/633",
		},
		Breaks: []string{"finish/length-is-not-success", "finish/incomplete-in-any-form"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Length && len(a.Calls()) == 0 && a.Text() != "" {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:    "finish/tells-a-parsers-error",
		Does:    "A call that the token limit cut off ends the run with what the JSON parser says of it.",
		Reports: []string{"https://github.com/0xPlaygrounds/rig/issues/2359"},
		Breaks:  []string{"finish/cut-is-told"},
		Make: func() hooks.Mutation {
			last := neutral.NoReason
			return hooks.Mutation{
				Turn: func(t *neutral.Turn) { last = t.Finish },
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if o.Status == protocol.Stopped && last == neutral.Length {
						o = protocol.Outcome{Status: protocol.Failed, Error: "EOF while parsing a string at line 1 column 21"}
					}
					return o
				},
			}
		},
	},
	{
		Name:    "finish/ignores-the-content-filter",
		Does:    "An answer that a filter cut is treated as a whole one.",
		Reports: []string{"https://github.com/openai/openai-agents-python/issues/4188", "https://github.com/prism-php/prism/issues/633"},
		Needs:   wire.FilterFinish,
		Breaks:  []string{"finish/content-filter-is-not-success", "finish/truncated-turn-not-run", "finish/stopped-is-not-success"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Filter {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name: "finish/believes-the-word-stop",
		Does: "A turn that ends with stop is treated as the answer, also when it has calls.",
		Reports: []string{
			"https://github.com/anomalyco/opencode/issues/14972",
			"https://github.com/RooCodeInc/Roo-Code/pull/9476",
			"https://github.com/strands-agents/sdk-python/issues/1827",
			"https://github.com/googleapis/python-genai/issues/2868",
		},
		Only:      neutral.LooseEnds,
		Elsewhere: "a turn that calls never ends with the word of an answer.",
		Breaks:    []string{"finish/calls-decide"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Stop {
				a.SetCalls()
			}
		}),
	},
	{
		Name:    "finish/takes-a-filtered-text-for-the-answer",
		Does:    "A text that a filter cut is treated as a whole answer; calls in front of the filter are not run.",
		Reports: []string{"https://github.com/openai/openai-agents-python/issues/4188", "https://github.com/prism-php/prism/issues/633"},
		Breaks:  []string{"finish/content-filter-is-not-success", "finish/stopped-is-not-success"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Filter && len(a.Calls()) == 0 {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:    "finish/runs-calls-of-a-filtered-turn",
		Does:    "Of a turn that a filter cut off, the calls that came whole are run.",
		Reports: []string{"https://github.com/vercel/ai/pull/19066"},
		Needs:   wire.FilterFinish,
		Breaks:  []string{"finish/truncated-turn-not-run"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Filter && len(a.Calls()) > 0 {
				a.SetFinish(neutral.Calls)
			}
		}),
	},
}
