// Package outcome holds faults: loops that tell their caller something else than what happened.
package outcome

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, mistaken, inForm, answerCalls) }

// countsUsage makes a loop that counts tokens in a way of its own. count is called with each
// answer.
func countsUsage(count func(*protocol.Usage, *hooks.Answer)) func() hooks.Mutation {
	return func() hooks.Mutation {
		var used protocol.Usage
		return hooks.Mutation{
			Answer: func(a *hooks.Answer) { count(&used, a) },
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				o.Usage = &used
				return o
			},
		}
	}
}

var basic = []hooks.Fault{
	{
		Name:   "outcome/loses-the-last-word",
		Does:   "The last word of the answer is lost.",
		Breaks: []string{"outcome/final-text"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if at := strings.LastIndexByte(o.Text, ' '); at > 0 && o.Status == protocol.Completed {
				o.Text = o.Text[:at]
			}
		}),
	},
	{
		Name:    "outcome/takes-brackets-for-markup",
		Does:    "What is between angle brackets in an answer is left out.",
		Reports: []string{"https://github.com/h2oai/h2ogpt/issues/1330"},
		Breaks:  []string{"outcome/final-text"},
		Make:    hooks.OnOutcome(func(o *protocol.Outcome) { o.Text = betweenBrackets().ReplaceAllString(o.Text, "") }),
	},
	{
		Name: "outcome/joins-the-commentary",
		Does: "What the model said on the way is reported with its answer.",
		Only: neutral.Items, Elsewhere: "a turn has one text, which is its answer.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/6399", "https://github.com/earendil-works/pi/issues/2806"},
		Breaks:  []string{"outcome/commentary-is-no-answer"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Answer: func(a *hooks.Answer) {
				for i := range a.Pieces {
					a.Pieces[i].Aside = false
				}
			}}
		},
	},
	{
		Name:   "outcome/calls-an-answer-a-stop",
		Does:   "A run with an answer is reported as stopped.",
		Breaks: []string{"outcome/completed"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Completed {
				o.Status, o.Reason = protocol.Stopped, "done"
			}
		}),
	},
	{
		Name:    "outcome/makes-an-answer-up",
		Does:    "After four rounds the loop stops and reports an answer that the model never gave.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/10329"},
		Breaks:  []string{"outcome/no-made-up-answer"},
		Make: func() hooks.Mutation {
			tired := false
			return hooks.Mutation{
				Request: func(r *hooks.Request) {
					if len(r.Task.Prompts) == 1 && r.Rounds() >= hooks.LongRun {
						tired = true
						r.Abort()
					}
				},
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if tired {
						o = protocol.Outcome{Status: protocol.Completed, Text: "Done."}
					}
					return o
				},
			}
		},
	},
	{
		Name:   "outcome/calls-a-refusal-a-stop",
		Does:   "A run that ends with a wrong key is reported as stopped, as if the loop had had enough.",
		Breaks: []string{"outcome/as-expected"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if strings.HasPrefix(o.Error, "the provider answered 401") {
				o.Status, o.Reason = protocol.Stopped, o.Error
			}
		}),
	},
	{
		Name:   "outcome/reports-the-last-usage",
		Does:   "The reported tokens are those of the last answer alone.",
		Breaks: []string{"outcome/usage-added-up", "outcome/thoughts-counted"},
		Make:   countsUsage(func(u *protocol.Usage, a *hooks.Answer) { *u = a.Usage() }),
	},
	{
		Name:   "outcome/counts-the-prompt-once",
		Does:   "Of the input only that of the last request is counted, and of the output all.",
		Breaks: []string{"outcome/usage-added-up"},
		Make: countsUsage(func(u *protocol.Usage, a *hooks.Answer) {
			u.InputTokens = a.Usage().InputTokens
			u.OutputTokens += a.Usage().OutputTokens
		}),
	},
	{
		Name:   "outcome/guesses-what-a-failure-cost",
		Does:   "A request that failed is counted as if it had cost what the one before it did.",
		Breaks: []string{"outcome/usage-added-up"},
		Make: func() hooks.Mutation {
			var last, sum protocol.Usage
			return countsUsage(func(u *protocol.Usage, a *hooks.Answer) {
				if a.OK() {
					last = a.Usage()
				}
				sum.InputTokens += last.InputTokens
				sum.OutputTokens += last.OutputTokens
				*u = sum
			})()
		},
	},
	{
		Name:    "outcome/crashes-in-a-long-run",
		Does:    "The loop panics after four rounds.",
		Reports: []string{"https://github.com/trpc-group/trpc-agent-go/issues/745", "https://github.com/charmbracelet/fantasy/issues/325"},
		Breaks:  []string{"outcome/run-ends"},
		Make: func() hooks.Mutation {
			crashed := false
			return hooks.Mutation{
				Request: func(r *hooks.Request) {
					if r.Rounds() >= hooks.LongRun {
						crashed = true
						r.Abort()
					}
				},
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if crashed {
						panic("index out of range [4] with length 4")
					}
					return o
				},
			}
		},
	},
}

var betweenBrackets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</?[A-Za-z]+>`) })
