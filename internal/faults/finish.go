package faults

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

var finish = []Fault{
	{
		Name:    "finish/repairs-a-cut-call",
		Does:    "A call that the token limit cut off is completed and run.",
		Models:  []string{"https://github.com/QwenLM/qwen-code/pull/2021", "https://github.com/ahwurm/localharness/issues/77"},
		Dialect: inChat,
		Breaks:  []string{"finish/cut-call-not-run"},
		Make: onRawAnswer(func(a *RawAnswer) {
			calls := a.Calls()
			if a.Finish() == "length" && len(calls) == 1 && calls[0].arguments != "" && !gjson.Valid(calls[0].arguments) {
				calls[0].arguments += `"}`
				a.SetCalls(calls)
				a.SetFinish("tool_calls")
			}
		}),
	},
	{
		Name:    "finish/takes-cut-arguments-for-none",
		Does:    "A call that the token limit cut off before its arguments is run without any.",
		Dialect: inChat,
		Breaks:  []string{"finish/truncated-turn-not-run"},
		Make: onRawAnswer(func(a *RawAnswer) {
			if calls := a.Calls(); a.Finish() == "length" && len(calls) == 1 && calls[0].arguments == "" {
				a.SetFinish("tool_calls")
			}
		}),
	},
	{
		Name:    "finish/runs-whole-calls-of-a-cut-turn",
		Does:    "Of a turn that the token limit cut off, the calls that came whole are run.",
		Models:  []string{"https://github.com/vercel/ai/issues/19063"},
		Dialect: inChat,
		Breaks:  []string{"finish/truncated-turn-not-run"},
		Make: onRawAnswer(func(a *RawAnswer) {
			if a.Finish() == "length" && len(a.Calls()) > 1 {
				a.SetFinish("tool_calls")
			}
		}),
	},
	{
		Name: "finish/ignores-length",
		Does: "An answer that ended with length is taken for a whole one.",
		Models: []string{
			"https://github.com/openai/openai-agents-js/pull/1741",
			"https://github.com/openai/openai-agents-python/issues/4513",
			"https://github.com/prism-php/prism/issues/633",
		},
		Breaks: []string{"finish/length-is-not-success"},
		Make: onRawAnswer(func(a *RawAnswer) {
			if a.Finish() == "length" && len(a.Calls()) == 0 {
				a.SetFinish("stop")
			}
		}),
	},
	{
		Name:    "finish/tells-a-parsers-error",
		Does:    "A call that the token limit cut off ends the run with what the JSON parser says of it.",
		Models:  []string{"https://github.com/0xPlaygrounds/rig/issues/2359"},
		Dialect: inChat,
		Breaks:  []string{"finish/cut-is-told"},
		Make: onOutcome(func(o *protocol.Outcome) {
			if o.Reason == "length" {
				*o = protocol.Outcome{Status: protocol.Failed, Error: "EOF while parsing a string at line 1 column 21"}
			}
		}),
	},
	{
		Name:   "finish/ignores-the-content-filter",
		Does:   "An answer that a filter cut is taken for a whole one.",
		Models: []string{"https://github.com/openai/openai-agents-python/issues/4188", "https://github.com/prism-php/prism/issues/633"},
		Breaks: []string{"finish/content-filter-is-not-success"},
		Make: onRawAnswer(func(a *RawAnswer) {
			if strings.HasPrefix(a.Finish(), "content_filter") {
				a.SetFinish("stop")
			}
		}),
	},
	{
		Name: "finish/believes-the-word-stop",
		Does: "A turn that ends with stop is taken for the answer, also when it has calls.",
		Models: []string{
			"https://github.com/anomalyco/opencode/issues/14972",
			"https://github.com/RooCodeInc/Roo-Code/pull/9476",
			"https://github.com/strands-agents/sdk-python/issues/1827",
			"https://github.com/googleapis/python-genai/issues/2868",
		},
		Dialect: inChat,
		Breaks:  []string{"finish/calls-decide"},
		Make: onRawAnswer(func(a *RawAnswer) {
			if a.Finish() == "stop" {
				a.SetCalls(nil)
			}
		}),
	},
}
