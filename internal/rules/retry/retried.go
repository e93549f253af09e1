package retry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// whichRules are the rules about which failures are worth another attempt.
var whichRules = []rules.Rule{
	{
		ID:       "retry/timeout-and-conflict-retried",
		Level:    trace.Should,
		Text:     "A request that fails with 408 or 409 is sent again.",
		Why:      "Both are temporary: the request itself is correct.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a 408 or 409",
		Sources: []rules.Source{
			{URL: sdkRetries, Says: "408 and 409 are retried"},
			{URL: nodeRetries, Says: "request timeouts and lock timeouts are retried"},
			{URL: interactionsClient, Says: "of the client for Interactions: 408, 409, 429 and 5XX are retried"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return retried(r, func(t *scenarios.Turn) bool { return t.Step.Status == 408 || t.Step.Status == 409 })
		},
	},
	{
		ID:       "retry/lost-connection-retried",
		Level:    trace.Should,
		Text:     "A request whose connection is lost before an answer is sent again.",
		Why:      "A request for a turn has no side effects and can be repeated.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a connection that was closed or reset before the answer",
		Sources: []rules.Source{
			{URL: sdkRetries, Says: "connection errors are retried"},
			{URL: "https://github.com/charmbracelet/fantasy/pull/164", Says: "network errors were not retried"},
			{URL: "https://github.com/openai/openai-agents-python/issues/3991", Says: "socket errors were not retried"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return retried(r, (*scenarios.Turn).Lost) },
	},
	{
		ID:       "retry/each-turn-anew",
		Level:    trace.Should,
		Text:     "Failures that passed in earlier turns do not use up the attempts of a later one.",
		Why:      "Otherwise long tasks are likely to fail.",
		Needs:    retries,
		Evidence: "what a loop did after a 5xx in a turn after others that had failed and passed",
		Sources: []rules.Source{
			{URL: sdkRetries, Says: "two retries for each request"},
		},
		Run: eachTurnAnew,
	},
	{
		ID:       "retry/refusal-not-retried",
		Level:    trace.Should,
		Text:     "A request that is refused with 401, 402, 403, 404, 413 or 422 is not sent again as it was.",
		Why:      "A wrong key, an empty account and a body that is too large are not solved by waiting; some providers lock keys for it.",
		Evidence: "an outcome after such a status to a request with a tool result",
		Sources: []rules.Source{
			{URL: nodeRetries, Says: "only 408, 409, 429 and 5xx are retried"},
			{URL: rules.ErrorDocs, Says: "401: the key is wrong; 403: not allowed"},
			{URL: "https://github.com/agno-agi/agno/issues/5984", Says: "4xx retried"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return notSentAgain(r, func(t *scenarios.Turn) bool { return t.Refuses() && t.Step.Status != 400 && !saysAgain(t, "true") })
		},
	},
	{
		ID:       "retry/hopeless-not-hammered",
		Level:    trace.Should,
		Text:     "A 429 that is permanent, because the account is empty or the request too large, is not retried many times.",
		Why:      "Otherwise the loop waits longer and longer, and appears to hang.",
		Evidence: "an outcome after such a 429 to a request with a tool result",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "429: you exceeded your current quota; add credits"},
			{URL: sdkRetries, Says: "the official clients stop after two retries"},
			{URL: "https://github.com/google-gemini/gemini-cli/pull/28599", Says: "terminal quota errors retried until it looks hung"},
		},
		Run: atMost(enough, hopeless, "a 429 that cannot pass was met with ever more requests"),
	},
	{
		ID:       "retry/blank-answers-bounded",
		Level:    trace.Should,
		Text:     "A blank answer is not retried forever.",
		Why:      "Every attempt costs money, and the user waits.",
		Unending: true,
		Evidence: "an outcome after a blank answer to a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/api-reference/errors", Says: "when no content is generated: a simple retry mechanism"},
			{URL: "https://github.com/lsdefine/GenericAgent/issues/201", Says: "asked again and again; repaired to stop after three"},
			{URL: "https://github.com/endolith/open-interpreter/issues/322", Says: "the loop never ended at a blank answer"},
		},
		Run: atMost(tooMany, blankForLong, "blank answers were met with ever more requests"),
	},
	{
		ID:       "retry/told-not-to",
		Level:    trace.Should,
		Text:     "An error with x-should-retry: false is not retried.",
		Why:      "The server knows that a retry will fail, although the status suggests one.",
		Needs:    retries,
		Evidence: "an outcome after such an error to a request with a tool result",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "if the server explicitly says whether or not to retry, obey"},
			{URL: nodeRetries, Says: "the same"},
			{URL: "https://github.com/charmbracelet/fantasy/issues/242", Says: "x-should-retry was not looked at"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return notSentAgain(r, func(t *scenarios.Turn) bool { return saysAgain(t, "false") })
		},
	},
	{
		ID:       "retry/told-to",
		Level:    trace.Info,
		Text:     "An error with x-should-retry: true is retried, whatever its status.",
		Why:      "The server knows that a retry may succeed, although the status does not suggest one.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after such an error",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "if the server explicitly says whether or not to retry, obey"},
			{URL: nodeRetries, Says: "the same"},
			{URL: "https://github.com/charmbracelet/fantasy/issues/242", Says: "x-should-retry was not looked at"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
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
func notSentAgain(r *rules.Run, kind func(*scenarios.Turn) bool) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if !kind(x.Turn) {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request) && r.Outcome != nil
		if next := r.NextAttempt(x); next != nil && wire.SameExactly(x.Request.Body, next.Request.Body) {
			j.Find(trace.Finding{
				Request:  next.Number,
				Message:  fmt.Sprintf("a request that was refused with %d was sent again", x.Turn.Step.Status),
				Expected: "no further request like it",
				Actual:   fmt.Sprintf("request %d is request %d", next.Number, x.Number),
			})
		}
	}
	return j
}

func eachTurnAnew(r *rules.Run) (j rules.CheckResult) {
	failed, passed := false, 0
	for _, x := range r.Served() {
		again := failed && r.ResumedBy(x) == nil // the next prompt is no retry
		failed = x.Turn.Fails()
		next := r.NextAttempt(x)
		switch {
		case again && !failed:
			passed++
		case again || x.Turn.Step.Status < 500 || saysAgain(x.Turn, "false") || passed == 0 || !rules.CarriesResult(x.Request) || r.Interrupted(x.Turn):
		case next != nil:
			j.HasEvidence = j.HasEvidence || passed > 1
		case r.Outcome != nil && !r.TimeWasOver():
			j.FindInAnswer(x,
				fmt.Sprintf("the request was not sent again after %s, as those before it were", failureOf(x.Turn)),
				"another request",
				r.DescribeEnd())
		}
	}
	return j
}

// hopeless reports whether a 429 cannot pass.
func hopeless(t *scenarios.Turn) bool {
	e := t.Step.Error
	return t.Step.Status == 429 && e != nil && (strings.Contains(e.Message, "quota") || strings.Contains(e.Message, "Request too large"))
}

// ofTheDay reports whether the details of an error name a quota of a day: what it says of a wait
// does not help.
func ofTheDay(t *scenarios.Turn) bool {
	return t.Step.Error != nil && slices.ContainsFunc(t.Step.Error.Details, func(d wire.Fields) bool {
		return strings.Contains(string(d.JSON()), "PerDay")
	})
}

// enough is how many attempts the official SDKs make, whatever the error says.
const enough = 3

// atMost bounds the attempts that a loop makes at turns of a kind, for each prompt.
func atMost(most int, kind func(*scenarios.Turn) bool, message string) func(*rules.Run) rules.CheckResult {
	return func(r *rules.Run) (j rules.CheckResult) {
		for _, x := range r.Served() {
			j.HasEvidence = j.HasEvidence || kind(x.Turn) && rules.CarriesResult(x.Request) && r.Outcome != nil
		}
		if attempts, _ := mostAttempts(r, kind); attempts > most {
			j.Find(trace.Finding{
				Message:  message,
				Expected: fmt.Sprintf("at most %d attempts", most),
				Actual:   rules.Plural(attempts, "attempt"),
			})
		}
		return j
	}
}

// mostAttempts returns how many attempts at turns of a kind were made for the prompt with the most,
// and the last of them.
func mostAttempts(r *rules.Run, kind func(*scenarios.Turn) bool) (most int, last *trace.Exchange) {
	attempts := 0
	for _, x := range r.Served() {
		if r.ResumedBy(x) != nil {
			attempts = 0
		}
		if !kind(x.Turn) {
			continue
		}
		if attempts++; attempts > most {
			most, last = attempts, x
		}
	}
	return most, last
}

// blankForLong reports whether a turn is one of so many blank ones that no loop should sit them all
// out.
func blankForLong(t *scenarios.Turn) bool { return t.Blank() && t.Step.Times > tooMany }
