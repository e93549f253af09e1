package retry

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
)

func isDate(value string) bool {
	_, err := http.ParseTime(value)
	return err == nil
}

func isNumber(value string) bool {
	_, err := strconv.ParseFloat(value, 64)
	return err == nil
}

// pauses are loops that come again at the wrong time.
var pauses = []hooks.Fault{
	{
		Name:    "retry/ignores-retry-after",
		Does:    "A retry comes at any time.",
		Reports: []string{"https://github.com/docker/cagent/commit/e529f3df", "https://github.com/sipeed/picoclaw/commit/cd3f6600c"},
		Breaks:  []string{"retry/date-honoured", "retry/milliseconds-honoured", "retry/retry-after-honoured"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			a.Header.Del("Retry-After")
			a.Header.Del("Retry-After-Ms")
		}),
	},
	{
		Name:    "retry/knows-no-seconds",
		Does:    "A retry-after in seconds is not understood.",
		Reports: []string{"https://github.com/google-gemini/gemini-cli/pull/25057"},
		Breaks:  []string{"retry/retry-after-honoured"},
		Make:    onHeader("Retry-After", isNumber),
	},
	{
		Name:   "retry/knows-no-milliseconds",
		Does:   "The header retry-after-ms is not known.",
		Breaks: []string{"retry/milliseconds-honoured"},
		Make:   onHeader("Retry-After-Ms", func(value string) bool { return value != "0" }),
	},
	{
		Name:   "retry/knows-no-dates",
		Does:   "A retry-after that is a date is ignored.",
		Breaks: []string{"retry/date-honoured"},
		Make:   onHeader("Retry-After", isDate),
	},
	{
		Name:    "retry/takes-zero-for-absent",
		Does:    "A retry-after-ms of 0 is treated as if it were not there.",
		Reports: []string{"https://github.com/openai/openai-node/pull/2329"},
		Breaks:  []string{"retry/zero-is-a-wait"},
		Make:    onHeader("Retry-After-Ms", is("0")),
	},
	{
		Name:    "retry/stumbles-over-an-odd-wait",
		Does:    "A retry-after that is no time ends the run.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/5722"},
		Breaks:  []string{"retry/odd-wait-survived"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			value := a.Header.Get("Retry-After")
			if seconds, err := strconv.ParseFloat(value, 64); value != "" && !isDate(value) && (err != nil || seconds < 0) {
				a.Status = http.StatusBadRequest
			}
		}),
	},
	{
		Name:    "retry/sleeps-for-a-day",
		Does:    "The loop waits as long as the provider asks, also for a day.",
		Reports: []string{"https://github.com/openai/openai-go/issues/828"},
		Breaks:  []string{"retry/absurd-wait-not-slept"},
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.Longest = 48 * time.Hour }),
	},
	{
		Name:    "retry/waits-beyond-its-time",
		Does:    "While a provider is down, waits before another attempt begin with four seconds and double, whatever time the task has.",
		Reports: []string{"https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/retry-strategies"},
		Breaks:  []string{"retry/waits-in-time"},
		Make:    waitsBeyondItsTime,
	},
	{
		Name:    "retry/hammers",
		Does:    "Twenty attempts follow each other as fast as they can.",
		Breaks:  []string{"retry/spaced"},
		InParts: []string{"retry/spaced", "finish/no-word"}, // an answer without a word is not whole there
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.Attempts, l.Backoff = 20, 1 }),
	},
}

// waitsBeyondItsTime makes a loop that asks a provider which is down again after longer and longer
// waits.
func waitsBeyondItsTime() hooks.Mutation {
	var long time.Duration // 0 while the provider is up: a loop that hangs at every error is given up by the suite
	return hooks.Mutation{
		Timing: true, // also when nobody waits any longer for what it does, as in a rehearsal
		Loop: func(l *refloop.Loop) {
			brief := hooks.Waits(l, func(d time.Duration) time.Duration { return d })
			l.Attempts = 6
			l.Wait = func(ctx context.Context, d time.Duration) error {
				if long == 0 {
					return brief(ctx, d)
				}
				return refloop.ByTheClock(hooks.UntilCancelled(ctx), max(d, long))
			}
		},
		Answer: func(a *hooks.Answer) {
			if a.Status != http.StatusServiceUnavailable {
				long = 0
				return
			}
			long = max(4*time.Second, 2*long)
		},
	}
}
