package outcome

import (
	"cmp"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// mistaken are loops that end otherwise than they should.
var mistaken = []hooks.Fault{
	{
		Name:    "outcome/refuses-special-tokens",
		Does:    "The tokens of a request are counted first, which fails where a result names a special one.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/16301", "https://github.com/RooCodeInc/Roo-Code/issues/7539"},
		Breaks:  []string{"outcome/no-failure-of-its-own"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			hooks.EachPart(r, func(x *neutral.Result) {
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
		Make: hooks.OnRequest(func(r *hooks.Request) {
			used := map[string]bool{}
			hooks.EachPart(r, func(c *neutral.Call) { used[c.Name] = true })
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
		Make: hooks.OnRequest(func(r *hooks.Request) {
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
		Make: func() hooks.Mutation {
			said := "Done."
			return hooks.Mutation{
				Answer: func(a *hooks.Answer) { said = cmp.Or(a.Text(), said) },
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
		InParts: []string{"outcome/run-ends", "finish/no-word"}, // an answer without a word is not whole there
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
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
		Make:      hooks.OnTurn(withoutRefusals),
	},
	{
		Name:   "outcome/loses-indentation",
		Does:   "The answer is told without the white space at the beginnings of its lines.",
		Breaks: []string{"outcome/final-text"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			lines := strings.Split(o.Text, "\n")
			for i := range lines {
				lines[i] = strings.TrimLeft(lines[i], " \t")
			}
			o.Text = strings.Join(lines, "\n")
		}),
	},
	{
		Name:   "outcome/tells-the-failure-that-passed",
		Does:   "A conversation whose last prompt was answered is reported as failed, since one before it was not.",
		Breaks: []string{"outcome/completed"},
		Make: hooks.OnResumed(func(o *protocol.Outcome, _ string) {
			o.Status, o.Error, o.Text = protocol.Failed, "the provider failed", ""
		}),
	},
	{
		Name:    "outcome/begins-with-half-an-answer",
		Does:    "The text of an answer begins with what had come of the one before that broke off.",
		Reports: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2478"},
		Breaks:  []string{"outcome/final-text"},
		Make:    hooks.OnResumed(func(o *protocol.Outcome, half string) { o.Text = half + o.Text }),
	},
}

func withoutRefusals(t *neutral.Turn) {
	t.Parts = hooks.KeepParts(t.Parts, func(p neutral.Part) bool {
		said, is := p.(*neutral.Text)
		return !is || !said.Refusal
	})
}
