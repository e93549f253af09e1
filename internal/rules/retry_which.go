package rules

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// retryWhich are the rules about which failures are worth another attempt.
var retryWhich = []Rule{
	{
		ID:       "retry/timeout-and-conflict-retried",
		Level:    Should,
		Text:     "A request that fails with 408 or 409 is sent again.",
		Why:      "Both say that the moment was bad, not the request.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a 408 or 409",
		Sources: []Source{
			{sdkRetries, "408 and 409 are retried"},
			{nodeRetries, "request timeouts and lock timeouts are retried"},
		},
		Run: func(r *Run) Judged {
			return retried(r, func(t *scenarios.Turn) bool { return t.Step.Status == 408 || t.Step.Status == 409 })
		},
	},
	{
		ID:       "retry/lost-connection-retried",
		Level:    Should,
		Text:     "A request whose connection is lost before an answer is sent again.",
		Why:      "Connections break; a request for a turn has no effect on the world and can be repeated.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a connection that was closed or reset before the answer",
		Sources: []Source{
			{sdkRetries, "connection errors are retried"},
			{"https://github.com/charmbracelet/fantasy/pull/164", "network errors were not retried"},
			{"https://github.com/openai/openai-agents-python/issues/3991", "socket errors were not retried"},
		},
		Run: func(r *Run) Judged { return retried(r, (*scenarios.Turn).Lost) },
	},
	{
		ID:       "retry/each-turn-anew",
		Level:    Should,
		Text:     "Failures that passed in earlier turns do not use up the attempts of a later one.",
		Why:      "The longer a task, the surer it ends at a hiccup.",
		Needs:    retries,
		Evidence: "what a loop did after a 5xx in a turn behind others that had failed and passed",
		Sources: []Source{
			{sdkRetries, "two retries for each request"},
		},
		Run: eachTurnAnew,
	},
	{
		ID:       "retry/refusal-not-retried",
		Level:    Should,
		Text:     "A request that is refused with 401, 402, 403, 404, 413 or 422 is not sent again as it was.",
		Why:      "A wrong key, an empty account and a body that is too large do not pass by waiting; keys get locked by it.",
		Evidence: "an outcome after such a status to a request with a tool result",
		Sources: []Source{
			{nodeRetries, "only 408, 409, 429 and 5xx are retried"},
			{errorDocs, "401: the key is wrong; 403: not allowed"},
			{"https://github.com/agno-agi/agno/issues/5984", "4xx retried"},
		},
		Run: func(r *Run) Judged {
			return notSentAgain(r, func(t *scenarios.Turn) bool { return t.Refuses() && t.Step.Status != 400 && !saysAgain(t, "true") })
		},
	},
	{
		ID:       "retry/hopeless-not-hammered",
		Level:    Should,
		Text:     "A 429 that cannot pass, since the account is empty or the request itself too large, is not met with many attempts.",
		Why:      "It looks like a rate limit; the loop backs off longer and longer and looks as if it hung.",
		Evidence: "an outcome after such a 429 to a request with a tool result",
		Sources: []Source{
			{errorDocs, "429: you exceeded your current quota; add credits"},
			{sdkRetries, "the official clients stop after two retries"},
			{"https://github.com/google-gemini/gemini-cli/pull/28599", "terminal quota errors retried until it looks hung"},
		},
		Run: atMost(enough, hopeless, "a 429 that cannot pass was met with ever more requests"),
	},
	{
		ID:       "retry/blank-answers-bounded",
		Level:    Should,
		Text:     "An answer that says nothing is not asked for again without end.",
		Why:      "Every attempt is paid for, and the user waits for a model that has nothing to say.",
		Unending: true,
		Evidence: "an outcome after a blank answer to a request with a tool result",
		Sources: []Source{
			{"https://openrouter.ai/docs/api-reference/errors", "when no content is generated: a simple retry mechanism"},
			{"https://github.com/lsdefine/GenericAgent/issues/201", "asked again and again; mended to stop after three"},
			{"https://github.com/endolith/open-interpreter/issues/322", "the loop never ended at a blank answer"},
		},
		Run: atMost(tooMany, blankForLong, "blank answers were met with ever more requests"),
	},
	{
		ID:       "retry/told-not-to",
		Level:    Should,
		Text:     "An error with x-should-retry: false is not met with the same request again.",
		Why:      "The server knows that it will not pass, though the status looks so.",
		Needs:    retries,
		Evidence: "an outcome after such an error to a request with a tool result",
		Sources: []Source{
			{pythonRetries, "if the server explicitly says whether or not to retry, obey"},
			{nodeRetries, "the same"},
			{"https://github.com/charmbracelet/fantasy/issues/242", "x-should-retry was not looked at"},
		},
		Run: func(r *Run) Judged {
			return notSentAgain(r, func(t *scenarios.Turn) bool { return saysAgain(t, "false") })
		},
	},
	{
		ID:       "retry/told-to",
		Level:    Info,
		Text:     "An error with x-should-retry: true is met with the request again, whatever its status.",
		Why:      "The server knows that it will pass, though the status does not look so.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after such an error",
		Sources: []Source{
			{pythonRetries, "if the server explicitly says whether or not to retry, obey"},
			{nodeRetries, "the same"},
			{"https://github.com/charmbracelet/fantasy/issues/242", "x-should-retry was not looked at"},
		},
		Run: func(r *Run) Judged {
			return retried(r, func(t *scenarios.Turn) bool { return saysAgain(t, "true") })
		},
	},
}

// saysAgain reports whether an error says so much about another attempt.
func saysAgain(t *scenarios.Turn, what string) bool {
	value, _ := header(t.Step, "x-should-retry")
	return t.Errs() && value == what
}

// notSentAgain demands that a request which failed in some way is not followed by the same one.
func notSentAgain(r *Run, kind func(*scenarios.Turn) bool) (j Judged) {
	for _, x := range r.Served() {
		if !kind(x.Turn) {
			continue
		}
		j.Seen = j.Seen || carriesResult(x.Request) && r.Outcome != nil
		if next := r.Next(x); next != nil && wire.SameExactly(x.Request.Body, next.Request.Body) {
			j.Find(Finding{
				Request:  next.Number,
				Message:  fmt.Sprintf("a request that was refused with %d was sent again", x.Turn.Step.Status),
				Expected: "no further request like it",
				Actual:   fmt.Sprintf("request %d is request %d", next.Number, x.Number),
			})
		}
	}
	return j
}

func eachTurnAnew(r *Run) (j Judged) {
	failed, passed := false, 0
	for _, x := range r.Served() {
		again := failed
		failed = x.Turn.Fails()
		next := r.Next(x)
		switch {
		case again && !failed:
			passed++
		case again || x.Turn.Step.Status < 500 || passed == 0 || !carriesResult(x.Request):
		case next != nil:
			j.Seen = j.Seen || passed > 1
		case r.Outcome != nil:
			j.Find(Finding{
				Request:  x.Number,
				Answer:   x.Number,
				Message:  fmt.Sprintf("the request was not sent again after %s, as those before it were", failureOf(x.Turn)),
				Expected: "another request",
				Actual:   r.ended(),
			})
		}
	}
	return j
}

// hopeless reports whether a 429 cannot pass.
func hopeless(t *scenarios.Turn) bool {
	e := t.Step.Error
	return t.Step.Status == 429 && e != nil && (strings.Contains(e.Message, "quota") || strings.Contains(e.Message, "Request too large"))
}

// enough is how many attempts the official SDKs make, whatever the error says.
const enough = 3

// atMost bounds the attempts that a loop makes at turns of a kind.
func atMost(most int, kind func(*scenarios.Turn) bool, message string) func(*Run) Judged {
	return func(r *Run) (j Judged) {
		attempts := 0
		for _, x := range r.Served() {
			if kind(x.Turn) {
				attempts++
				j.Seen = j.Seen || carriesResult(x.Request) && r.Outcome != nil
			}
		}
		if attempts > most {
			j.Find(Finding{
				Message:  message,
				Expected: fmt.Sprintf("at most %d attempts", most),
				Actual:   plural(attempts, "attempt"),
			})
		}
		return j
	}
}

// blankForLong reports whether a turn is one of so many blank ones that no loop should sit them all out.
func blankForLong(t *scenarios.Turn) bool { return t.Blank() && t.Step.Times > tooMany }
