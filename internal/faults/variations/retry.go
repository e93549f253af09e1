package variations

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// waiting makes a loop with other waits before retries, given the wait of the reference loop.
func waiting(change func(time.Duration) time.Duration) func() hooks.Mutation {
	return hooks.OnLoop(func(l *refloop.Loop) { l.Wait = hooks.Waits(l, change) })
}

var retries = []hooks.Variation{
	{
		Name:    "retries/five-attempts",
		Does:    "What may pass is tried five times.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 5)"},
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.Attempts = 5 }),
	},
	{
		Name:    "retries/none",
		Does:    "What fails is reported at once, and no retries are claimed.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 0)"},
		Without: []protocol.Feature{protocol.Retries},
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.Attempts = 1 }),
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
		Make: func() hooks.Mutation {
			return hooks.Mutation{Loop: func(l *refloop.Loop) {
				l.Longest = 1000 * time.Hour
				l.Wait = hooks.Waits(l, func(d time.Duration) time.Duration {
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
		Make:    hooks.GivesUpAfter((*hooks.Answer).BrokeOff, nil),
	},
	{
		Name:    "retries/of-limits-and-failures-of-the-server",
		Does:    "Only a 429 and the 5xx are tried again.",
		Sources: []string{"https://github.com/crmne/ruby_llm/blob/main/lib/ruby_llm/connection.rb (RubyLLM::RateLimitError, RubyLLM::ServerError)"},
		Shoulds: []string{"retry/timeout-and-conflict-retried"},
		Why:     "These two statuses are rare, and the caller can ask again.",
		Make:    hooks.GivesUpAfter(func(a *hooks.Answer) bool { return a.Status == 408 || a.Status == 409 }, nil),
	},
	{
		Name:    "retries/by-the-status-alone",
		Does:    "What a response says of retries alongside its status and its wait is not read.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/provider/src/errors/api-call-error.ts (statusCode === 408)"},
		Shoulds: []string{"retry/told-not-to"},
		Why:     "The header is one of two providers; a needless attempt is what it costs.",
		Make: func() hooks.Mutation {
			return hooks.Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
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
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Status == http.StatusBadRequest && bytes.Contains(a.Body, []byte("conversation_locked")) {
				a.Status = http.StatusConflict
			}
		}),
	},
	{
		Name:    "retries/another-model",
		Does:    "Where a model is busy, another one is asked at once.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/middleware/built-in (ModelFallbackMiddleware)", "https://ai.pydantic.dev/models/overview/ (FallbackModel)"},
		Make:    asksAnotherModel,
	},
	{
		Name:    "retries/answer-that-was-lost",
		Does:    "The first answer with calls is lost on its way, and the request is sent again.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py (a connection that breaks is tried again)"},
		Shoulds: []string{"limits/answer-asked-for-once"},
		Why:     "Only the loop knows that the answer did not arrive.",
		Make:    losesOneAnswer,
	},
	{
		Name:    "retries/shorter-when-too-large",
		Does:    "When a request is too large, a note takes the place of what the tools returned so far, and it is sent once more.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/sliding_window_conversation_manager.py (reduce_context truncates tool results)"},
		Make:    func() hooks.Mutation { return new(clearing).mutation() },
	},
}

// repairing is a loop that reads what a 400 says of its request, leaves that out, and asks again.
func repairing() hooks.Mutation {
	var words string
	return hooks.Mutation{
		Answer: func(a *hooks.Answer) {
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
		Request: func(r *hooks.Request) {
			switch words {
			case "image":
				hooks.WithoutImages(r)
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

// asksAnotherModel makes a loop that sends a request which a busy model refused to another one,
// without a wait.
func asksAnotherModel() hooks.Mutation {
	busy := false
	return hooks.Mutation{
		Loop: func(l *refloop.Loop) {
			l.Wait = hooks.Waits(l, func(d time.Duration) time.Duration {
				if busy {
					return 0
				}
				return d
			})
		},
		Request: func(r *hooks.Request) {
			if busy {
				r.Model = "another"
			}
		},
		Answer: func(a *hooks.Answer) { busy = a.Status == http.StatusTooManyRequests && !busy },
	}
}

// losesOneAnswer asks for the first answer with calls again.
func losesOneAnswer() hooks.Mutation {
	lost := false
	return hooks.Mutation{
		Loop: func(l *refloop.Loop) { l.Attempts = 4 }, // one more, since an attempt is lost
		Answer: func(a *hooks.Answer) {
			if !lost && a.OK() && a.Err == nil && a.Finish() == neutral.Calls {
				lost = true
				a.Fail("the connection was reset")
			}
		},
	}
}

const cleared = "The tool result was too large!"

// clearing has a request that was refused as too large sent again, once, with a note instead of
// each result in it.
type clearing struct {
	sent    int // results in the last request
	cleared int // results, the first ones of the conversation, that a note stands for
}

func (c *clearing) mutation() hooks.Mutation {
	return hooks.Mutation{
		Request: func(r *hooks.Request) {
			c.sent = 0
			r.Each(neutral.Tool, func(m *neutral.Message) {
				for _, x := range m.Results() {
					if c.sent++; c.sent <= c.cleared {
						x.Text, x.Image = cleared, nil
					}
				}
			})
		},
		Answer: func(a *hooks.Answer) {
			if a.Status == http.StatusRequestEntityTooLarge && c.cleared == 0 && c.sent > 0 {
				c.cleared, a.Status = c.sent, http.StatusServiceUnavailable // which the reference loop tries again
			}
		},
	}
}

// inTranscript puts the notes into a transcript of Chat Completions, too.
func (c *clearing) inTranscript(messages []string) []string {
	results := 0
	for i, m := range messages {
		if !strings.Contains(m, `"tool_call_id"`) {
			continue
		}
		if results++; results <= c.cleared {
			messages[i] = raw.Set(m, "content", cleared)
		}
	}
	return messages
}
