package retry

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// onHeader drops a header of errors when it has a value of some kind.
func onHeader(name string, kind func(value string) bool) func() hooks.Mutation {
	return hooks.OnAnswer(func(a *hooks.Answer) {
		if value := a.Header.Get(name); value != "" && kind(value) {
			a.Header.Del(name)
		}
	})
}

func is(word string) func(string) bool { return func(value string) bool { return value == word } }

// which are loops that try the wrong requests again.
var which = []hooks.Fault{
	{
		Name:   "retry/gives-up-at-a-timeout",
		Does:   "A 408 and a 409 end the run, as other 4xx do.",
		Breaks: []string{"retry/timeout-and-conflict-retried"},
		Make: onStatus(func(status int) int {
			if status == 408 || status == 409 {
				return 400
			}
			return status
		}),
	},
	{
		Name:    "retry/gives-up-when-a-connection-is-lost",
		Does:    "Only errors with a status are tried again.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/pull/164", "https://github.com/openai/openai-agents-python/issues/3991"},
		Breaks:  []string{"retry/lost-connection-retried"},
		Make: func() hooks.Mutation {
			lost := false
			return hooks.Mutation{
				Lost: func(error) { lost = true },
				Request: func(r *hooks.Request) {
					if lost = lost && !r.NextPrompt; lost {
						r.Abort()
					}
				},
			}
		},
	},
	{
		Name:   "retry/counts-over-the-whole-run",
		Does:   "The attempts of all turns together are limited, and a 503 in the third turn ends the run.",
		Breaks: []string{"retry/each-turn-anew"},
		Make: func() hooks.Mutation {
			failures := 0
			return hooks.Mutation{Answer: func(a *hooks.Answer) {
				if a.Status != http.StatusServiceUnavailable {
					return
				}
				if failures++; failures > 2 {
					a.Status = http.StatusBadRequest
				}
			}}
		},
	},
	{
		Name:    "retry/tries-a-refused-request-again",
		Does:    "Every error status is treated as one that passes, a wrong key and an empty account too.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/5984"},
		Breaks:  []string{"retry/refusal-not-retried"},
		Make: onStatus(func(status int) int {
			if slices.Contains([]int{401, 402, 403, 404, 413, 422}, status) {
				return http.StatusServiceUnavailable
			}
			return status
		}),
	},
	{
		Name:      "retry/hammers-an-empty-account",
		Does:      "An exhausted quota is treated as a rate limit, and tried again and again.",
		Reports:   []string{"https://github.com/google-gemini/gemini-cli/pull/28599", "https://github.com/google-gemini/gemini-cli/pull/27698"},
		Only:      neutral.QuotaLimits,
		Elsewhere: "an empty account is refused with a status of its own.",
		Breaks:    []string{"retry/hopeless-not-hammered"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{
				Loop: func(l *refloop.Loop) { l.Attempts = 5 },
				Answer: func(a *hooks.Answer) {
					a.Body = bytes.ReplaceAll(a.Body, []byte("insufficient_quota"), []byte("rate_limit_exceeded"))
				},
			}
		},
	},
	{
		Name:    "retry/asks-for-blank-answers-again",
		Does:    "A blank answer is asked for again as often as it comes.",
		Reports: []string{"https://github.com/lsdefine/GenericAgent/issues/201", "https://github.com/endolith/open-interpreter/issues/322"},
		Breaks:  []string{"retry/blank-answers-bounded"},
		InParts: []string{"retry/blank-answers-bounded", "finish/no-word"}, // an answer without a word is not whole there
		Make: func() hooks.Mutation {
			down := 0
			return hooks.Mutation{
				Loop: func(l *refloop.Loop) { l.Attempts, l.Backoff = 24, 1 },
				Answer: func(a *hooks.Answer) {
					if a.Status == http.StatusServiceUnavailable {
						down++
					} else {
						down = 0
					}
					switch {
					case down > 3: // errors are given up in time, to do otherwise is another fault
						a.Status = http.StatusBadRequest
					case a.OK() && a.Finish() == neutral.Stop && a.Turn().Blank():
						a.Status = http.StatusServiceUnavailable
					}
				},
			}
		},
	},
	{
		Name:    "retry/comes-again-when-told-not-to",
		Does:    "x-should-retry: false is not looked at.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/issues/242"},
		Breaks:  []string{"retry/told-not-to"},
		Make:    onHeader("X-Should-Retry", is("false")),
	},
	{
		Name:    "retry/stays-away-when-told-to-come",
		Does:    "x-should-retry: true is not looked at.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/issues/242"},
		Breaks:  []string{"retry/told-to"},
		Make:    onHeader("X-Should-Retry", is("true")),
	},
}
