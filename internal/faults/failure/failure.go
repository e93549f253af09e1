// Package failure holds faults: loops that take a failure of the provider for something else, or go
// on badly after one.
package failure

import (
	"bytes"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault {
	return slices.Concat(answers, odd, brokenOff, resumed)
}

// answers are loops that take what is no answer for one, or lose what an error says.
var answers = []hooks.Fault{
	{
		Name:    "failure/swallows-refusals",
		Does:    "A request that the provider refuses ends the run as if it had been answered.",
		Reports: []string{"https://github.com/TanStack/ai/pull/938"},
		Breaks:  []string{"failure/http-error-reported"},
		Make:    onEnding(isRefusal, becomesNothing),
	},
	{
		Name:   "failure/hides-the-message",
		Does:   "A failure is reported without what the provider said.",
		Breaks: []string{"failure/error-says-why"},
		Make:   onEnding(isPlainError, func(o *protocol.Outcome) { o.Error = "the request failed" }),
	},
	{
		Name: "failure/takes-a-cut-stream-for-an-answer",
		Does: "A stream that ends early is treated as a whole answer.",
		Reports: []string{
			"https://github.com/vercel/ai/issues/19165",
			"https://github.com/AgentsMesh/Loopal/pull/104",
			"https://github.com/charmbracelet/fantasy/pull/245",
		},
		Breaks:  []string{"failure/cut-stream-reported", "failure/damaged-stream-reported"},
		InParts: []string{"failure/cut-stream-reported", "failure/error-objects"},
		Make: func() hooks.Mutation {
			told := false // of an error in a line that is not of data, which is another fault
			return hooks.Mutation{
				Bytes: func(b []byte) []byte {
					told = bytes.Contains(b, []byte("\nerror:")) || bytes.Contains(b, []byte("\n{"))
					return b
				},
				Answer: func(a *hooks.Answer) {
					if a.Streamed && !told && a.Err != nil && !a.Failed() && a.Finish() == neutral.NoReason && len(a.Calls()) == 0 {
						a.Complete(neutral.Stop)
					}
				},
			}
		},
	},
	{
		Name: "failure/skips-errors-in-the-answer",
		Does: "An error that comes after the status 200 is skipped.",
		Reports: []string{
			"https://github.com/BerriAI/litellm/issues/40578",
			"https://github.com/charmbracelet/fantasy/pull/319",
			"https://github.com/openai/openai-node/issues/2046",
			"https://github.com/sashabaranov/go-openai/issues/396",
			"https://github.com/langchain4j/langchain4j/issues/5107",
		},
		Breaks: []string{"failure/in-band-error-reported"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Failed() && len(a.Calls()) == 0 {
				a.Complete(neutral.Stop)
			}
		}),
	},
	{
		Name:    "failure/shows-errors-as-text",
		Does:    "What an error after the status 200 says is shown as what the model says, behind the part of the answer before it.",
		Reports: []string{"https://github.com/lsdefine/GenericAgent/issues/753", "https://github.com/NousResearch/hermes-agent/issues/58017"},
		Breaks:  []string{"failure/in-band-error-reported", "failure/no-completion-reported"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Failed() && len(a.Calls()) == 0 {
				if a.Text() == "" {
					a.Pieces = nil // a text of which nothing came cannot go back
				}
				a.Pieces = append(a.Pieces, neutral.Piece{At: "error", Part: &neutral.Text{Text: a.Err.Error()}})
				a.Complete(neutral.Stop)
			}
		}),
	},
	{
		Name:    "failure/takes-nothing-for-an-answer",
		Does:    "A blank answer is reported as the answer.",
		Reports: []string{"https://github.com/pydantic/pydantic-ai/issues/6403"},
		Breaks:  []string{"failure/blank-completion-reported"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if o.Error == "the model answered with nothing" {
				*o = protocol.Outcome{Status: protocol.Completed}
			}
		}),
	},
	{
		Name:    "failure/takes-reasoning-for-an-answer",
		Does:    "When the model says nothing, what it thought is reported as its answer.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/issues/3244", "https://github.com/Tencent/WeKnora/issues/819"},
		Breaks:  []string{"failure/blank-completion-reported"},
		Make: func() hooks.Mutation {
			thought := ""
			return hooks.Mutation{
				Turn: func(t *neutral.Turn) {
					thought = ""
					for _, r := range neutral.Of[*neutral.Reasoning](t.Parts) {
						thought += r.Text
					}
				},
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if o.Error == "the model answered with nothing" && thought != "" {
						o = protocol.Outcome{Status: protocol.Completed, Text: thought}
					}
					return o
				},
			}
		},
	},
	{
		Name:    "failure/runs-calls-of-a-cut-stream",
		Does:    "Calls of a stream that broke off are run when their arguments happen to be whole.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/commit/bbf53dc"},
		Breaks:  []string{"failure/broken-turn-not-run", "failure/broken-turn-not-kept"},
		Make: hooks.OnStreamed(func(a *hooks.Answer) {
			if a.Err != nil && a.Finish() == neutral.NoReason && len(a.Calls()) > 0 && !a.Cancelled() {
				a.Complete(neutral.Calls)
			}
		}),
	},
	{
		Name:    "failure/keeps-half-an-answer",
		Does:    "What arrived of an answer that broke off stays in the history of the next attempt.",
		Reports: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2478", "https://github.com/badlogic/pi-mono/pull/838"},
		Breaks:  []string{"failure/broken-turn-not-kept"},
		Make: func() hooks.Mutation {
			half := ""
			return hooks.Mutation{
				Request: func(r *hooks.Request) {
					if half != "" && !r.NextPrompt {
						r.Add(neutral.Says(neutral.Assistant, half))
					}
				},
				Answer: func(a *hooks.Answer) {
					if a.Failed() {
						half = a.Text()
					}
				},
			}
		},
	},
}
