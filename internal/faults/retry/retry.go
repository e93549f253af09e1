// Package retry holds faults: loops that try again what they should not, or too soon, or not at
// all.
package retry

import (
	"bytes"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	messageswire "github.com/loopproof/loopproof/internal/refloop/messages"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(atAll, which, pauses) }

// onStatus changes the status of errors.
func onStatus(change func(status int) int) func() hooks.Mutation {
	return hooks.OnAnswer(func(a *hooks.Answer) { a.Status = change(a.Status) })
}

// afterError changes the requests that follow a 500, or a 429 that asks for no wait.
func afterError(change func(*hooks.Request)) func() hooks.Mutation {
	return func() hooks.Mutation {
		failed := false
		return hooks.Mutation{
			Request: func(r *hooks.Request) {
				if failed && !r.NextPrompt {
					change(r)
				}
			},
			Answer: func(a *hooks.Answer) { failed = a.Status == 500 || isPlainLimit(a) },
		}
	}
}

func isPlainLimit(a *hooks.Answer) bool { return a.Status == 429 && a.Header.Get("Retry-After") == "" }

// atAll are loops that ask again too seldom, too often or in the wrong way.
var atAll = []hooks.Fault{
	{
		Name:    "retry/gives-up-at-a-rate-limit",
		Does:    "A 429 ends the run.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/pull/68", "https://github.com/chainreactors/cyber-harness/issues/57"},
		Breaks:  []string{"retry/rate-limit-retried"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if isPlainLimit(a) {
				a.Status = 400
			}
		}),
	},
	{
		Name:    "retry/gives-up-at-a-server-error",
		Does:    "A 5xx ends the run.",
		Reports: []string{"https://github.com/sipeed/picoclaw/commit/99a7179e7", "https://github.com/charmbracelet/fantasy/pull/75"},
		Without: []protocol.Feature{protocol.ModelFallback}, // the second model would not be asked either
		Breaks:  []string{"retry/server-error-retried"},
		Make: onStatus(func(status int) int {
			if status >= 500 {
				return 400
			}
			return status
		}),
	},
	{
		Name:    "retry/changes-the-request",
		Does:    "A retry carries a note about the failure.",
		Reports: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2478"},
		Breaks:  []string{"retry/same-request"},
		Make:    afterError(func(r *hooks.Request) { r.Add(neutral.Says(neutral.User, "The last attempt failed.")) }),
	},
	{
		Name:    "retry/runs-tools-again",
		Does:    "A retry starts the whole step again, tools included.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/10366", "https://github.com/dyad-sh/dyad/pull/2851"},
		Breaks:  []string{"retry/no-tool-run-twice"},
		Make: func() hooks.Mutation {
			var last atomic.Pointer[hooks.ToolRun] // tools run at the same time
			return hooks.Mutation{
				Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
					result := post(r)
					if result.Status == http.StatusOK {
						last.Store(r)
					}
					return result
				},
				Answer: func(a *hooks.Answer) {
					if ran := last.Load(); ran != nil && (a.Status == 429 || a.Status >= 500) {
						ran.Post()
					}
				},
			}
		},
	},
	{
		Name:    "retry/never-gives-up",
		Does:    "An error is met with ever more requests.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/503", "https://github.com/agno-agi/agno/issues/8094"},
		Breaks:  []string{"retry/bounded"},
		InParts: []string{"retry/bounded", "finish/no-word"}, // an answer without a word is not whole there
		Make: func() hooks.Mutation {
			return hooks.Mutation{
				Loop: func(l *refloop.Loop) { l.Attempts, l.Backoff = 24, 1 },
				Answer: func(a *hooks.Answer) {
					if a.Status == http.StatusServiceUnavailable {
						time.Sleep(110 * time.Millisecond) // it does not hammer, which is another fault
					}
				},
			}
		},
	},
	{
		Name:    "retry/drops-a-turn-for-a-prefill",
		Does:    "A 400 whose words name a prefill is answered by the request without the last turn of the model, which the results are for.",
		Reports: []string{"https://github.com/XiaomiMiMo/MiMo-Code/pull/1703", "https://github.com/decolua/9router/pull/3936"},
		Dialect: messageswire.Dialect{}.Name(),
		Breaks:  []string{"pairing/no-orphan-result"},
		Make:    droppingATurn,
	},
	{
		Name:    "retry/tries-a-bad-request-again",
		Does:    "A request that was refused with 400 is sent again.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/5984"},
		Breaks:  []string{"retry/bad-request-not-retried"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Status == 400 && hooks.IsEnvelope(a.Body) {
				a.Status = 503
			}
		}),
	},
}

// droppingATurn takes the last turn of the model for a prefill, once a 400 names one, and asks
// again without it.
func droppingATurn() hooks.Mutation {
	refused := false
	return hooks.Mutation{
		Answer: func(a *hooks.Answer) {
			if !refused && a.Status == http.StatusBadRequest && bytes.Contains(a.Body, []byte("prefill")) {
				refused, a.Status = true, http.StatusServiceUnavailable // what is asked again
			}
		},
		Request: func(r *hooks.Request) {
			if !refused {
				return
			}
			for i := range slices.Backward(r.Messages) {
				if r.Messages[i].Role == neutral.Assistant {
					r.Messages = slices.Delete(r.Messages, i, i+1)
					return
				}
			}
		},
	}
}
