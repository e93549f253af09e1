package faults

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// waiting makes a loop with other waits before retries, given the wait of the reference loop.
func waiting(change func(time.Duration) time.Duration) func() Mutation {
	return onLoop(func(l *refloop.Loop) { l.Wait = waits(l, change) })
}

// waits returns the wait of a loop with its time changed.
func waits(l *refloop.Loop, change func(time.Duration) time.Duration) func(context.Context, time.Duration) error {
	wait := l.Wait
	if wait == nil {
		wait = refloop.ByTheClock
	}
	return func(ctx context.Context, d time.Duration) error { return wait(ctx, change(d)) }
}

var variationsInRetries = []Variation{
	{
		Name:    "retries/five-attempts",
		Does:    "What may pass is tried five times.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 5)"},
		Make:    onLoop(func(l *refloop.Loop) { l.Attempts = 5 }),
	},
	{
		Name:    "retries/none",
		Does:    "What fails is reported at once, and no retries are claimed.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 0)"},
		Without: []protocol.Feature{protocol.Retries},
		Make:    onLoop(func(l *refloop.Loop) { l.Attempts = 1 }),
	},
	{
		Name:    "retries/with-jitter",
		Does:    "A wait is a little longer than it would have to be, so that clients do not come back all at once.",
		Sources: []string{"https://github.com/langchain4j/langchain4j/blob/main/langchain4j-core/src/main/java/dev/langchain4j/internal/RetryUtils.java (jitterScale)"},
		Make:    waiting(func(d time.Duration) time.Duration { return d + d/5 }),
	},
	{
		Name:    "retries/at-a-steady-pace",
		Does:    "All waits are equally long, but for those that the provider asks for.",
		Sources: []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/base.py (delay_between_retries)"},
		Make: waiting(func(d time.Duration) time.Duration {
			if d < 5*time.Millisecond { // of its own
				return 3 * time.Millisecond
			}
			return d
		}),
	},
	{
		Name:    "retries/long-waits-not-waited",
		Does:    "A provider that asks for a wait of more than a minute is asked again after the loop's own one.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py (MAX_RETRY_AFTER_DELAY)", "https://github.com/vercel/ai/blob/main/packages/ai/src/util/retry-with-exponential-backoff.ts (60 * 1000)"},
		Make: func() Mutation {
			return Mutation{Loop: func(l *refloop.Loop) {
				l.Longest = 1000 * time.Hour
				l.Wait = waits(l, func(d time.Duration) time.Duration {
					if d > time.Minute {
						return 10 * time.Millisecond
					}
					return d
				})
			}}
		},
	},
	{
		Name:    "retries/broken-answers-reported",
		Does:    "A request is tried again until its answer begins; what breaks off after that is reported.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py (_should_retry)", "https://github.com/crmne/ruby_llm/blob/main/lib/ruby_llm/connection.rb (stream_delivered?)"},
		Make:    givesUpAfter((*Answer).BrokeOff, nil),
	},
	{
		Name:    "retries/of-limits-and-failures-of-the-server",
		Does:    "Only a 429 and the 5xx are tried again.",
		Sources: []string{"https://github.com/crmne/ruby_llm/blob/main/lib/ruby_llm/connection.rb (RubyLLM::RateLimitError, RubyLLM::ServerError)"},
		Shoulds: []string{"retry/timeout-and-conflict-retried"},
		Why:     "These two statuses are rare, and the caller can ask again.",
		Make:    givesUpAfter(func(a *Answer) bool { return a.Status == 408 || a.Status == 409 }, nil),
	},
	{
		Name:    "retries/by-the-status-alone",
		Does:    "What a response says of retries alongside its status and its wait is not read.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/provider/src/errors/api-call-error.ts (statusCode === 408)"},
		Shoulds: []string{"retry/told-not-to"},
		Why:     "The header is one of two providers; a needless attempt is what it costs.",
		Make: func() Mutation {
			return Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				resp, err := send(req)
				if err == nil {
					resp.Header.Del("X-Should-Retry")
				}
				return resp, err
			}}
		},
	},
	{
		Name: "retries/repairs-by-the-words",
		Does: "A 400 whose words name an image, a signature or a prefill is answered once: the request is sent again without them, or with a message of the user at its end.",
		Sources: []string{
			"https://github.com/RooCodeInc/Roo-Code/pull/10554 (signatures that are refused are left out)",
			"https://github.com/anthropics/claude-code/issues/46127 (the session is lost where the image stays)",
			"https://github.com/mastra-ai/mastra/pull/14953 (a prefill that is refused: the user says to continue)",
		},
		Make: repairing,
	},
	{
		Name:    "retries/waits-for-a-locked-conversation",
		Does:    "A 400 that says that the conversation is locked is waited for, as its words ask for.",
		Sources: []string{"https://github.com/paulgmiller/careme/issues/379 (Please retry in a few seconds)"},
		Make: onAnswer(func(a *Answer) {
			if a.Status == http.StatusBadRequest && bytes.Contains(a.Body, []byte("conversation_locked")) {
				a.Status = http.StatusConflict
			}
		}),
	},
}

// repairing is a loop that reads what a 400 says of its request, leaves that out, and asks again.
func repairing() Mutation {
	var words string
	return Mutation{
		Answer: func(a *Answer) {
			said := strings.ToLower(string(a.Body))
			if a.Status != http.StatusBadRequest || words != "" {
				return
			}
			for _, word := range []string{"image", "signature", "prefill"} {
				if strings.Contains(said, word) && !strings.Contains(said, "missing") {
					words, a.Status = word, http.StatusServiceUnavailable // what is asked again
				}
			}
		},
		Request: func(r *Request) {
			switch words {
			case "image":
				withoutImages(r)
				r.Each(neutral.User, func(m *neutral.Message) {
					m.Parts = slices.DeleteFunc(m.Parts, func(p neutral.Part) bool { _, is := p.(*neutral.Image); return is })
				})
			case "signature":
				r.Each(neutral.Assistant, func(m *neutral.Message) {
					m.Parts = slices.DeleteFunc(m.Parts, func(p neutral.Part) bool { _, is := p.(*neutral.Reasoning); return is })
					for _, c := range m.Calls() {
						c.Signature = nil
					}
				})
			case "prefill":
				r.Say("Continue where you left off.")
			}
		},
	}
}
