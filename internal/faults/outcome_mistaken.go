package faults

import (
	"cmp"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// outcomeMistaken are loops that end otherwise than they should.
var outcomeMistaken = []Fault{
	{
		Name:    "outcome/refuses-special-tokens",
		Does:    "The tokens of a request are counted first, which fails where a result names a special one.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/16301", "https://github.com/RooCodeInc/Roo-Code/issues/7539"},
		Breaks:  []string{"outcome/no-failure-of-its-own"},
		Make: onRequest(func(r *Request) {
			eachPart(r, func(x *neutral.Result) {
				if strings.Contains(x.Text, "<|endoftext|>") {
					r.Abort()
				}
			})
		}),
	},
	{
		Name:    "outcome/cannot-send-results",
		Does:    "The loop fails on its own when it has the results of three tools to send.",
		Reports: []string{"https://github.com/tmc/langchaingo/issues/638"},
		Breaks:  []string{"outcome/no-failure-of-its-own"},
		Make: onRequest(func(r *Request) {
			used := map[string]bool{}
			eachPart(r, func(c *neutral.Call) { used[c.Name] = true })
			if len(used) == 3 {
				r.Abort()
			}
		}),
	},
	{
		Name: "outcome/takes-prompts-for-templates",
		Does: "Prompts are templates; one with braces in it fails before the model is asked.",
		Reports: []string{
			"https://github.com/langchain-ai/langchain/issues/32702",
			"https://github.com/google/adk-python/issues/86",
			"https://github.com/chatchat-space/Langchain-Chatchat/issues/1241",
		},
		Breaks: []string{"outcome/asks-the-model"},
		Make: onRequest(func(r *Request) {
			if strings.Contains(strings.Join(r.Task.Prompts, ""), "{") {
				r.Abort()
			}
		}),
	},
	{
		Name:    "outcome/repeats-an-earlier-text",
		Does:    "When the model answers with nothing, a text of an earlier turn is reported.",
		Reports: []string{"https://github.com/pydantic/pydantic-ai/issues/6403"},
		Breaks:  []string{"failure/blank-completion-reported"},
		Make: func() Mutation {
			said := "Done."
			return Mutation{
				Answer: func(a *Answer) { said = cmp.Or(a.Text(), said) },
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
		Reports: []string{"https://github.com/nlpodyssey/openai-agents-go/commit/dde2b8c"},
		Breaks:  []string{"outcome/run-ends"},
		Make: onOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Failed {
				panic("interface conversion: error is nil")
			}
		}),
	},
	{
		Name:      "outcome/does-not-hear-refusals",
		Does:      "Of an answer only the content is read, which is null alongside a refusal.",
		Reports:   []string{"https://github.com/0xPlaygrounds/rig/issues/2332"},
		Only:      neutral.Refusals,
		Elsewhere: "the words of a refusal are a text like any other.",
		Breaks:    []string{"outcome/refusal-told"},
		Make:      onTurn(withoutRefusals),
	},
	{
		Name:   "outcome/loses-indentation",
		Does:   "The answer is told without the white space at the beginnings of its lines.",
		Breaks: []string{"outcome/final-text"},
		Make: onOutcome(func(o *protocol.Outcome) {
			lines := strings.Split(o.Text, "\n")
			for i := range lines {
				lines[i] = strings.TrimLeft(lines[i], " \t")
			}
			o.Text = strings.Join(lines, "\n")
		}),
	},
}

func withoutRefusals(t *neutral.Turn) {
	t.Parts = keepParts(t.Parts, func(p neutral.Part) bool {
		said, is := p.(*neutral.Text)
		return !is || !said.Refusal
	})
}
