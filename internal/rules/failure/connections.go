package failure

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// connectionRules are the rules about connections that lead nowhere, or elsewhere.
var connectionRules = []rules.Rule{
	{
		ID:          "failure/lost-connection-reported",
		Level:       trace.Must,
		Text:        "If every attempt loses its connection before the answer, or in the middle of one that is not streamed, the run is reported as failed.",
		Why:         "The caller treats nothing, or a partial document, as an answer.",
		AnyDelivery: true,
		Evidence:    "an outcome after a connection on which nothing came, or half a document",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "APIConnectionError: the request could not reach the server, or the connection was lost"},
			{URL: "https://github.com/nlpodyssey/openai-agents-go/commit/dde2b8c", Says: "a panic when the model's stream failed"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			lost := notAnAnswer(r, (*scenarios.Turn).Lost, "a connection on which nothing came")
			lost.Add(notAnAnswer(r, func(t *scenarios.Turn) bool { return halfDocument(r, t) }, "half a document"))
			return lost
		},
	},
	{
		ID:          "failure/refused-connection-reported",
		Level:       trace.Must,
		Text:        "When the connection is refused, the run is reported as failed.",
		Why:         "The caller treats nothing as an answer.",
		Needs:       rules.SeesTools,
		AnyDelivery: true,
		Evidence:    "an outcome after a tool was run, where the next connection is refused",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "APIConnectionError: the server could not be reached"},
			{URL: "https://github.com/nlpodyssey/openai-agents-go/commit/dde2b8c", Says: "connection refused on the second request: a panic"},
		},
		Run: refusedConnectionReported,
	},
	{
		ID:          "failure/redirect-keeps-the-request",
		Level:       trace.Must,
		Text:        "A request that is redirected with 307 or 308 is sent there unchanged, or the redirect is reported as a failure.",
		Why:         "A POST that becomes a GET, or loses its body, gets another or an empty response.",
		AnyDelivery: true,
		Evidence:    "the request after a redirect, or an outcome without one",
		Sources: []rules.Source{
			{URL: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.9", Says: "308: the method must not be changed when the redirect is followed"},
			{URL: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.8", Says: "307: the method must not be changed when the redirect is followed"},
		},
		Run: redirectKeepsTheRequest,
	},
	{
		ID:       "failure/redirect-followed",
		Level:    trace.Info,
		Text:     "A redirect with 307 or 308 to the same host is followed.",
		Why:      "Gateways move; a client that follows redirects does not notice.",
		Evidence: "what a loop that used tools did after a 307 or 308",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "follow_redirects is on by default"},
			{URL: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4", Says: "a user agent may follow a redirect by itself"},
		},
		Run: redirectFollowed,
	},
	{
		ID:       "failure/silence-given-up",
		Level:    trace.Info,
		Text:     "A loop with a time limit gives up waiting for a silent provider when the time is over.",
		Why:      "Otherwise the caller waits forever.",
		Evidence: "what a loop that used tools did when the provider was silent for longer than its time",
		Sources: []rules.Source{
			{URL: sdkTimeouts, Says: "a request that times out is given up, and tried again"},
			{URL: "https://github.com/loopproof/loopproof/blob/main/docs/adapters.md", Says: "timeout_ms: when the task is given up"},
		},
		Run: silenceGivenUp,
	},
}

const sdkTimeouts = "https://github.com/openai/openai-python#timeouts"

func refusedConnectionReported(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !r.HungUp(last) || last.Turn.Final() { // of a later prompt it is not known whether it was tried
		return j
	}
	return notCompleted(r, last, r.UsedTools() && ranAfter(r, last), "the next connection was refused, and the run reported as completed")
}

// ranAfter reports whether a call in the answer of an exchange was run.
func ranAfter(r *rules.Run, x *trace.Exchange) bool {
	for _, c := range r.Calls() {
		if c.In == x && len(c.Executions) > 0 {
			return true
		}
	}
	return false
}

// moves reports whether a turn is a redirect that keeps the method.
func moves(t *scenarios.Turn) bool { return t.Step.Redirect == 307 || t.Step.Redirect == 308 }

func redirectKeepsTheRequest(r *rules.Run) (j rules.CheckResult) {
	j.Add(notAnAnswer(r, (*scenarios.Turn).Redirects, "a redirect"))
	for _, x := range r.Served() {
		next := r.After(x)
		if next == nil || !x.Turn.Redirects() {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request)
		switch {
		case !moves(x.Turn): // what happens to the method is the client's choice
		case next.Method != "":
			j.FindInAnswer(x,
				fmt.Sprintf("the request lost its method on a redirect with %d", x.Turn.Step.Redirect),
				"POST, with the same body",
				next.Method)
		case next.Request == nil || !wire.SameExactly(x.Request.Body, next.Request.Body):
			j.Find(trace.Finding{
				Request:  next.Number,
				Message:  fmt.Sprintf("the request was changed on a redirect with %d", x.Turn.Step.Redirect),
				Expected: fmt.Sprintf("the body of request %d", x.Number),
				Actual:   bodyOf(next),
			})
		}
	}
	return j
}

func bodyOf(x *trace.Exchange) string {
	if x.Request == nil {
		return x.Problem
	}
	return rules.Show(x.Request.Body)
}

func redirectFollowed(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if !moves(x.Turn) || !rules.CarriesResult(x.Request) {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.After(x) != nil
		if r.After(x) == nil && r.Outcome != nil {
			j.FindInAnswer(x,
				fmt.Sprintf("a redirect with %d was not followed", x.Turn.Step.Redirect),
				"the same request at the URL of the redirect",
				r.DescribeEnd())
		}
	}
	return j
}

func silenceGivenUp(r *rules.Run) (j rules.CheckResult) {
	limit := r.TimeLimit()
	for _, x := range r.Served() {
		stall := x.Turn.Step.Stall
		if stall == nil || limit == 0 || stall.For <= limit || !rules.CarriesResult(x.Request) {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.Outcome != nil
		if silent := lasted(r, x); silent >= stall.For {
			j.FindInAnswer(x,
				"the loop waited until the provider closed the silent connection",
				fmt.Sprintf("an end after the %s that the task has", limit),
				fmt.Sprintf("%s of silence", silent.Round(10*time.Millisecond)))
		}
	}
	return j
}

// lasted returns how long an exchange took. The end of an answer is noted after it was sent: a loop
// that ends at once when the provider closes the connection may have ended before.
func lasted(r *rules.Run, x *trace.Exchange) time.Duration {
	if x.End == x.Start {
		return r.Ending.At - x.Start
	}
	return x.End - x.Start
}

// halfDocument reports whether the connection was lost in the middle of an answer that is not
// streamed.
func halfDocument(r *rules.Run, t *scenarios.Turn) bool {
	return r.Case.Delivery == wire.DeliverJSON && t.Breaks() && t.Step.InBandError == nil
}
