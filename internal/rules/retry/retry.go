package retry

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var retries = []protocol.Feature{protocol.Retries}

const sdkRetries = "https://github.com/openai/openai-python#retries"

// atAllRules are those about whether a request is retried, and with which result.
var atAllRules = []rules.Rule{
	{
		// No must: without a time for the retry, a loop may leave the decision to its caller.
		ID:       "retry/rate-limit-retried",
		Level:    trace.Should,
		Text:     "A request that is refused with 429 is sent again.",
		Why:      "Otherwise tasks fail whenever the provider is busy.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a 429",
		Sources: []rules.Source{
			{URL: sdkRetries, Says: "429 is retried"},
			{URL: "https://github.com/charmbracelet/fantasy/pull/68", Says: "streams never retried"},
			{URL: "https://github.com/langchain-ai/langchainjs/pull/10674", Says: "not retried on purpose where the answer does not say when to come back"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return retried(r, func(t *scenarios.Turn) bool {
				return t.Step.Status == 429 && (!hopeless(t) || t.Step.RetryAfter != nil && !ofTheDay(t)) // an account without money stays so
			})
		},
	},
	{
		ID:       "retry/server-error-retried",
		Level:    trace.Must,
		Text:     "A request that fails with 500 or 503 is sent again.",
		Why:      "Otherwise tasks fail at every short outage of the provider.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a 5xx",
		Sources: []rules.Source{
			{URL: sdkRetries, Says: "500 and above are retried"},
			{URL: "https://github.com/sipeed/picoclaw/commit/99a7179e7", Says: "a 500 ended the turn"},
			{URL: "https://github.com/anthropics/anthropic-sdk-python#retries", Says: "connection errors, 429 and 500 and above are retried, twice by default"},
			{URL: rules.GeminiErrorDocs, Says: "500 and 503: wait a bit, and retry"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return retried(r, func(t *scenarios.Turn) bool { return t.Step.Status >= 500 })
		},
	},
	{
		ID:       "retry/same-request",
		Level:    trace.Should,
		Text:     "A retry sends the same messages as the request that failed.",
		Why:      "Otherwise remains of the failed attempt become part of the conversation.",
		Needs:    retries,
		Evidence: "a request after an error status",
		Sources: []rules.Source{
			{URL: sdkRetries, Says: "the request is sent again"},
			{URL: "https://github.com/agentscope-ai/agentscope-java/issues/2478", Says: "partial output got into the retry"},
		},
		Run: sameRequest,
	},
	{
		ID:       "retry/no-tool-run-twice",
		Level:    trace.Must,
		Text:     "A retry of a request does not run tools again.",
		Why:      "Each attempt is another payment.",
		Needs:    []protocol.Feature{protocol.Retries, protocol.Executions},
		Evidence: "a request after an error status that came after tools had run",
		Sources: []rules.Source{
			{URL: "https://github.com/agno-agi/agno/issues/10366", Says: "three attempts, three charges"},
			{URL: "https://github.com/dyad-sh/dyad/pull/2851", Says: "a retry ran mutating tools again"},
		},
		Run: noToolRunTwice,
	},
	{
		ID:       "retry/bounded",
		Level:    trace.Must,
		Text:     "The number of retries is limited; after the last one the error is reported. More than twenty attempts before that break a should, and so do endless ones at a status of success without an answer, which a loop may count as turns.",
		Why:      "Otherwise a provider that is down gets a million requests, and the user gets no answer.",
		Needs:    retries,
		Unending: true,
		Evidence: "an outcome after an error that did not pass",
		Sources: []rules.Source{
			{URL: sdkRetries, Says: "two retries by default"},
			{URL: "https://github.com/brainlid/langchain/issues/503", Says: "two layers of retries multiplied"},
		},
		Run: bounded,
	},
	{
		ID:       "retry/bad-request-not-retried",
		Level:    trace.Should,
		Text:     "A request that is refused with 400 is not sent again as it was.",
		Why:      "It is refused again.",
		Evidence: "an outcome after a 400 to a request with a tool result",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "400: the request is wrong"},
			{URL: "https://github.com/agno-agi/agno/issues/5984", Says: "4xx retried"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return notSentAgain(r, func(t *scenarios.Turn) bool { return t.Step.Status == 400 && !saysAgain(t, "true") })
		},
	},
}

// failureOf says what came instead of an answer: "a 503".
func failureOf(t *scenarios.Turn) string {
	if t.Errs() {
		return fmt.Sprintf("a %d", t.Step.Status)
	}
	return t.Failure()
}

// retried demands another request after the first failure of a request. How often a loop tries is
// its own choice, so what happens to a retry that fails too is left to it.
func retried(r *rules.Run, kind func(*scenarios.Turn) bool) (j rules.CheckResult) {
	failed := false
	for _, x := range r.Served() {
		again := failed
		failed = x.Turn.Fails()
		if again || !failed || !kind(x.Turn) || saysAgain(x.Turn, "false") || !rules.CarriesResult(x.Request) || r.Interrupted(x.Turn) {
			continue
		}
		if r.AsksForAbsurdWait(x) {
			continue // there is no time for it: to give up is right
		}
		next := r.NextAttempt(x)
		j.HasEvidence = j.HasEvidence || next != nil
		if next == nil && r.Outcome != nil && !r.TimeWasOver() {
			j.FindInAnswer(x, "the request was not sent again after "+failureOf(x.Turn), "another request", r.DescribeEnd())
		}
	}
	return j
}

func sameRequest(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		next := r.NextAttempt(x)
		if !x.Turn.Fails() || x.Refused() || next == nil || x.Request.Model != next.Request.Model {
			continue // what was refused cannot be sent again as it is, nor what another model cannot read
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(next.Request)
		if was, now := x.Request.MessageList(), next.Request.MessageList(); !wire.SameExactly(was, now) {
			j.FindAt(next, next.Request.HistoryPointer(),
				"the retry sends other messages than the request that failed",
				rules.Plural(len(was.Items), "message"),
				rules.Plural(len(now.Items), "message")+", the last "+rules.Show(now.Items[len(now.Items)-1]))
		}
	}
	return j
}

func noToolRunTwice(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !r.Retried(c.In) || !c.Turn.Asks() {
			continue
		}
		j.HasEvidence = j.HasEvidence || len(c.Executions) > 0 && askedAgain(r)
		if c.Doubled() {
			j.FindInAnswer(c.In,
				fmt.Sprintf("the call %s was run again with a retry", c.Call.As),
				"one run of "+c.Call.Name,
				rules.Plural(len(c.Executions), "run"))
		}
	}
	return j
}

// askedAgain reports whether some failed request was followed by another.
func askedAgain(r *rules.Run) bool {
	for _, x := range r.Served() {
		if !x.Turn.Whole() && r.NextAttempt(x) != nil {
			return true
		}
	}
	return false
}

// tooMany is from when on retries count as endless. The official SDKs stop after two, some loops
// after ten, and layers of them multiply.
const tooMany = 20

func bounded(r *rules.Run) (j rules.CheckResult) {
	attempts, last := mostAttempts(r, func(t *scenarios.Turn) bool { return t.Fails() && t.Step.Times > tooMany })
	j.HasEvidence = attempts > 1 && r.Outcome != nil
	if attempts <= tooMany {
		return j
	}
	found := trace.Finding{
		Message:  "the same error was met with ever more requests",
		Expected: fmt.Sprintf("at most %d attempts", tooMany),
		Actual:   rules.Plural(attempts, "attempt"),
	}
	switch {
	case last.Turn.Garbled(): // the loop may ask again as after a blank turn, up to the turn limit, which is the task's
		found.Message, found.Level = "a body that is no completion was met with ever more requests", trace.Should
	case attempts < last.Turn.Step.Times && r.Outcome != nil: // it gave up in the end
		found.Message, found.Level = "the same error was met with many requests", trace.Should
	}
	j.Find(found)
	return j
}
