package rules

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// failureConnections are the rules about connections that lead nowhere, or elsewhere.
var failureConnections = []Rule{
	{
		ID:          "failure/lost-connection-reported",
		Level:       Must,
		Text:        "A connection that is closed or reset before an answer, or in the middle of one that is not streamed, each time, is reported as a failure.",
		Why:         "The caller takes nothing, or half a document, for an answer.",
		AnyDelivery: true,
		Evidence:    "an outcome after a connection on which nothing came, or half a document",
		Sources: []Source{
			{errorDocs, "APIConnectionError: the request could not reach the server, or the connection was lost"},
			{"https://github.com/nlpodyssey/openai-agents-go/commit/dde2b8c", "a panic when the model's stream failed"},
		},
		Run: func(r *Run) Judged {
			lost := notAnAnswer(r, (*scenarios.Turn).Lost, "a connection on which nothing came")
			lost.add(notAnAnswer(r, func(t *scenarios.Turn) bool { return r.halfDocument(t) }, "half a document"))
			return lost
		},
	},
	{
		ID:          "failure/refused-connection-reported",
		Level:       Must,
		Text:        "When nobody listens any more, the run is reported as failed.",
		Why:         "The caller takes nothing for an answer.",
		Needs:       seesTools,
		AnyDelivery: true,
		Evidence:    "an outcome after a tool was run, where the next connection is refused",
		Sources: []Source{
			{errorDocs, "APIConnectionError: the server could not be reached"},
			{"https://github.com/nlpodyssey/openai-agents-go/commit/dde2b8c", "connection refused on the second request: a panic"},
		},
		Run: refusedConnectionReported,
	},
	{
		ID:          "failure/redirect-keeps-the-request",
		Level:       Must,
		Text:        "A request that is sent elsewhere with 307 or 308 goes there as it was, or the redirect is reported as a failure.",
		Why:         "A POST that becomes a GET, or loses its body, asks for something else; an empty answer comes of it.",
		AnyDelivery: true,
		Evidence:    "the request after a redirect, or an outcome without one",
		Sources: []Source{
			{"https://www.rfc-editor.org/rfc/rfc9110#section-15.4.9", "308: the method must not be changed when the redirect is followed"},
			{"https://www.rfc-editor.org/rfc/rfc9110#section-15.4.8", "307: the method must not be changed when the redirect is followed"},
		},
		Run: redirectKeepsTheRequest,
	},
	{
		ID:       "failure/redirect-followed",
		Level:    Info,
		Text:     "A redirect with 307 or 308 to the same host is followed.",
		Why:      "Gateways move; a client that follows redirects does not notice.",
		Evidence: "what a loop that used tools did after a 307 or 308",
		Sources: []Source{
			{pythonRetries, "follow_redirects is on by default"},
			{"https://www.rfc-editor.org/rfc/rfc9110#section-15.4", "a user agent may follow a redirect by itself"},
		},
		Run: redirectFollowed,
	},
	{
		ID:       "failure/silence-given-up",
		Level:    Info,
		Text:     "A loop that has a time for its task gives up a provider that has gone silent when the time is over.",
		Why:      "Nobody tells the caller that nothing will come any more.",
		Evidence: "what a loop that used tools did when the provider was silent for longer than its time",
		Sources: []Source{
			{sdkTimeouts, "a request that times out is given up, and tried again"},
			{"https://github.com/loopproof/loopproof/blob/main/docs/adapters.md", "timeout_ms: when the task is given up"},
		},
		Run: silenceGivenUp,
	},
}

const sdkTimeouts = "https://github.com/openai/openai-python#timeouts"

func refusedConnectionReported(r *Run) (j Judged) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !r.hungUp(last) {
		return j
	}
	j.Seen = r.UsedTools() && r.ranBehind(last)
	if r.Outcome.Status == protocol.Completed {
		j.Find(Finding{
			Request:  last.Number,
			Answer:   last.Number,
			Message:  "the next connection was refused, and the run reported as completed",
			Expected: notDone,
			Actual:   fmt.Sprintf("status completed with the text %s", quote(r.Outcome.Text)),
		})
	}
	return j
}

// notDone is what is expected of runs that came to no answer.
const notDone = "status failed or stopped"

// hungUp reports whether nobody listens any more behind an exchange.
func (r *Run) hungUp(x *Exchange) bool { return x.Turn.Asks() && r.Script.HangsUp(x.Turn) }

// ranBehind reports whether a call of an exchange was run.
func (r *Run) ranBehind(x *Exchange) bool {
	for _, c := range r.Calls() {
		if c.In == x && len(c.Executions) > 0 {
			return true
		}
	}
	return false
}

// moves reports whether a turn is a redirect that keeps the method.
func moves(t *scenarios.Turn) bool { return t.Step.Redirect == 307 || t.Step.Redirect == 308 }

func redirectKeepsTheRequest(r *Run) (j Judged) {
	j.add(notAnAnswer(r, (*scenarios.Turn).Redirects, "a redirect"))
	for _, x := range r.Served() {
		next := r.following(x)
		if next == nil || !x.Turn.Redirects() {
			continue
		}
		j.Seen = j.Seen || carriesResult(x.Request)
		switch {
		case !moves(x.Turn): // what becomes of the method is the client's choice
		case next.Method != "":
			j.Find(Finding{
				Request:  x.Number,
				Answer:   x.Number,
				Message:  fmt.Sprintf("the request lost its method on a redirect with %d", x.Turn.Step.Redirect),
				Expected: "POST, with the same body",
				Actual:   next.Method,
			})
		case next.Request == nil || !wire.SameExactly(x.Request.Body, next.Request.Body):
			j.Find(Finding{
				Request:  next.Number,
				Message:  fmt.Sprintf("the request was changed on a redirect with %d", x.Turn.Step.Redirect),
				Expected: fmt.Sprintf("the body of request %d", x.Number),
				Actual:   bodyOf(next),
			})
		}
	}
	return j
}

func bodyOf(x *Exchange) string {
	if x.Request == nil {
		return x.Problem
	}
	return show(x.Request.Body)
}

// following returns the exchange right after x, be it one of this conversation or garbage, or nil.
func (r *Run) following(x *Exchange) *Exchange {
	if x.Number == len(r.Exchanges) {
		return nil
	}
	return r.Exchanges[x.Number]
}

func redirectFollowed(r *Run) (j Judged) {
	for _, x := range r.Served() {
		if !moves(x.Turn) || !carriesResult(x.Request) {
			continue
		}
		j.Seen = j.Seen || r.following(x) != nil
		if r.following(x) == nil && r.Outcome != nil {
			j.Find(Finding{
				Request:  x.Number,
				Answer:   x.Number,
				Message:  fmt.Sprintf("a redirect with %d was not followed", x.Turn.Step.Redirect),
				Expected: "the same request at the URL of the redirect",
				Actual:   r.ended(),
			})
		}
	}
	return j
}

func silenceGivenUp(r *Run) (j Judged) {
	limit := r.time()
	for _, x := range r.Served() {
		stall := x.Turn.Step.Stall
		if stall == nil || limit == 0 || stall.For <= limit || !carriesResult(x.Request) {
			continue
		}
		j.Seen = j.Seen || r.Outcome != nil
		if silent := x.End - x.Start; silent >= stall.For {
			j.Find(Finding{
				Request:  x.Number,
				Answer:   x.Number,
				Message:  "the loop waited until the provider closed the silent connection",
				Expected: fmt.Sprintf("an end after the %s that the task has", limit),
				Actual:   fmt.Sprintf("%s of silence", silent.Round(10*time.Millisecond)),
			})
		}
	}
	return j
}

// halfDocument reports whether the connection was lost in the middle of an answer that is not streamed.
func (r *Run) halfDocument(t *scenarios.Turn) bool {
	return r.Case.Delivery == wire.DeliverJSON && t.Breaks() && t.Step.InBandError == nil
}
