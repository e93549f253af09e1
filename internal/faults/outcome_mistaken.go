package faults

import (
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// outcomeMistaken are loops that end otherwise than they should.
var outcomeMistaken = []Fault{
	{
		Name:   "outcome/cannot-send-results",
		Does:   "The loop fails on its own when it has the results of three tools to send.",
		Models: []string{"https://github.com/tmc/langchaingo/issues/638"},
		Breaks: []string{"outcome/as-expected"},
		Make: onRawRequest(func(r *RawRequest) {
			used := map[string]bool{}
			for _, name := range r.Get("messages.#.tool_calls.#.function.name|@flatten").Array() {
				used[name.String()] = true
			}
			if len(used) == 3 {
				r.Abort()
			}
		}),
	},
	{
		Name: "outcome/takes-prompts-for-templates",
		Does: "Prompts are templates; one with braces in it fails before the model is asked.",
		Models: []string{
			"https://github.com/langchain-ai/langchain/issues/32702",
			"https://github.com/google/adk-python/issues/86",
			"https://github.com/chatchat-space/Langchain-Chatchat/issues/1241",
		},
		Breaks: []string{"outcome/asks-the-model"},
		Make: onRawRequest(func(r *RawRequest) {
			if strings.Contains(strings.Join(r.Task.Prompts, ""), "{") {
				r.Abort()
			}
		}),
	},
	{
		Name:   "outcome/repeats-an-earlier-text",
		Does:   "When the model answers with nothing, a text of an earlier turn is reported.",
		Models: []string{"https://github.com/pydantic/pydantic-ai/issues/6403"},
		Breaks: []string{"failure/blank-completion-reported"},
		Make: func() Changes {
			said := "Done."
			return Changes{
				RawAnswer: func(a *RawAnswer) {
					if text := a.Text(); text != "" {
						said = text
					}
				},
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if o.Error == "the model answered with nothing" {
						o = protocol.Outcome{Status: protocol.Completed, Text: said}
					}
					return o
				},
			}
		},
	},
	{
		Name:    "outcome/crashes-at-a-failed-request",
		Does:    "A request that fails for good makes the loop panic.",
		Models:  []string{"https://github.com/nlpodyssey/openai-agents-go/commit/dde2b8c"},
		Dialect: inChat,
		Breaks:  []string{"outcome/run-ends"},
		Make: onOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Failed {
				panic("interface conversion: error is nil")
			}
		}),
	},
	{
		Name:    "outcome/does-not-hear-refusals",
		Does:    "Of an answer only the content is read, which is null beside a refusal.",
		Models:  []string{"https://github.com/0xPlaygrounds/rig/issues/2332"},
		Dialect: inChat,
		Breaks:  []string{"outcome/refusal-told"},
		Make: onRawAnswer(func(a *RawAnswer) {
			for i, p := range a.Payloads {
				a.Payloads[i] = remove(p, a.saying()+"refusal")
			}
		}),
	},
}
