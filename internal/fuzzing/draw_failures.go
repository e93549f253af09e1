package fuzzing

import (
	"fmt"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// retriedStatuses are those after which the same request may be answered, the most frequent first.
var retriedStatuses = []int{
	http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInternalServerError, http.StatusBadGateway,
	http.StatusGatewayTimeout, http.StatusRequestTimeout, http.StatusConflict,
}

// oddWaits are values of retry-after that say nothing.
var oddWaits = []string{"soon", "-5", "0", "Thu, 01 Jan 1970 00:00:00 GMT"}

// maxAttempts is how many attempts at a turn fail at most before one passes: what clients retry by default.
const maxAttempts = 2

// fail lets attempts at a turn fail before the model is heard, where the loop claims to retry.
func (d *drawing) fail(t *Turn) {
	if !d.grammar.claims(protocol.Retries) || !d.chance(12, "failed attempts") {
		return
	}
	for range 1 + d.upTo(maxAttempts-1, "further failed attempt") {
		t.Failures = append(t.Failures, d.failure())
	}
}

// failure draws an attempt that fails.
func (d *drawing) failure() scenarios.Step {
	switch kind := d.hundred("kind of failure"); {
	case kind >= 88:
		return d.lostConnection()
	case kind >= 76:
		return d.brokenStream()
	default:
		s := scenarios.Step{Status: retriedStatuses[d.one(len(retriedStatuses), "status")]}
		d.wait(&s)
		return s
	}
}

// wait draws how long the provider asks to wait, and how it says so.
func (d *drawing) wait(s *scenarios.Step) {
	switch kind := d.hundred("wait"); {
	case kind >= 93:
		s.RetryAfter = new(time.Second)
		s.RetryAfterAs = scenarios.WaitForm(d.pick("form of the wait", []string{"", "date", "details"}))
	case kind >= 83:
		s.RetryAfter = new(30 * time.Millisecond)
	case kind >= 73:
		s.Headers = []scenarios.Header{{Name: "retry-after", Value: d.pick("odd wait", oddWaits)}}
	case kind >= 67:
		s.Body, s.ContentType = new("<html><body>Bad Gateway</body></html>"), "text/html"
	}
}

// lostConnection draws an attempt on which nothing comes.
func (d *drawing) lostConnection() scenarios.Step {
	lost := &scenarios.Break{Before: "headers"}
	if d.chance(50, "reset") {
		return scenarios.Step{Reset: lost}
	}
	return scenarios.Step{Cut: lost}
}

// brokenStream draws an answer that breaks off.
func (d *drawing) brokenStream() scenarios.Step {
	s := scenarios.Step{Text: new(d.text("broken text"))}
	if d.chance(40, "broken call") {
		n := d.number()
		s.Calls = []scenarios.Call{{As: fmt.Sprintf("broken-%d", n), Tool: toolbox[0].Name, Arguments: fmt.Sprintf(`{"city":"Bonn, number %d"}`, n)}}
	}
	d.breakOff(&s)
	return s
}

// breakOff draws how and where an answer breaks off.
func (d *drawing) breakOff(s *scenarios.Step) {
	at := scenarios.Break{Before: "finish"}
	if d.streams && d.chance(50, "break after events") {
		at = scenarios.Break{After: scenarios.Amount{N: 1 + d.upTo(3, "events"), Unit: "events"}}
	}
	switch d.one(3, "kind of break") {
	case 0:
		s.Cut = &at
	case 1:
		s.Reset = &at
	default:
		s.InBandError = &scenarios.BandError{Break: at}
	}
}

// hopeless are errors that no attempt passes, as providers word them.
var hopeless = []scenarios.Step{
	{Status: http.StatusServiceUnavailable},
	{Status: http.StatusBadRequest, Error: &profiles.Words{Message: "The messages have too many tokens."}},
	{Status: http.StatusUnauthorized},
	{Status: http.StatusForbidden, Error: &profiles.Words{Message: "The region is not supported."}},
	{Status: http.StatusNotFound},
	{Status: http.StatusPaymentRequired, Error: &profiles.Words{Message: "The balance is used up."}},
	{Status: http.StatusRequestEntityTooLarge, Error: &profiles.Words{Message: "The request is too large."}},
	{Status: http.StatusUnprocessableEntity, Error: &profiles.Words{Message: "The inputs are not valid."}},
	{Status: http.StatusBadGateway, Transport: scenarios.Transport{Body: new("<html><body>Bad Gateway</body></html>"), ContentType: "text/html"}},
	{Status: http.StatusInternalServerError, Transport: scenarios.Transport{Body: new("")}},
	{Status: http.StatusServiceUnavailable, Transport: scenarios.Transport{Body: new("upstream connect error"), ContentType: "text/plain"}},
	{Status: http.StatusServiceUnavailable, Transport: scenarios.Transport{Headers: []scenarios.Header{{Name: "x-should-retry", Value: "false"}}}},
	{Status: http.StatusOK, Transport: scenarios.Transport{Body: new("<html><body>Please sign in.</body></html>"), ContentType: "text/html"}},
	{Status: http.StatusOK, Transport: scenarios.Transport{Body: new("")}},
	{Status: http.StatusOK, Transport: scenarios.Transport{Body: new(`{"detail":"no worker is free"}`)}},
}

// forGood is how often a failure comes that does not pass: more often than any client asks.
const forGood = 20

// ending draws the turn by which a prompt ends without an answer.
func (d *drawing) ending() Turn {
	t := Turn{Step: scenarios.Step{Times: forGood}}
	s := &t.Step
	switch kind := d.hundred("kind of ending"); {
	case kind >= 94:
		lost := d.lostConnection()
		s.Cut, s.Reset = lost.Cut, lost.Reset
	case kind >= 78:
		s.Text = new(d.text("broken text"))
		if d.chance(40, "broken call") {
			t.Calls = d.calls()
		}
		d.breakOff(s)
	case kind >= 70:
		s.Text = new("")
	case kind >= 62:
		s.Text, s.Finish, s.Times = new(d.text("cut text")), string(wire.FinishLength), 0
	case kind >= 54:
		s.Text, s.Finish, s.Times = new(d.text("filtered text")), string(wire.FinishContentFilter), 0
		if d.chance(40, "filtered call") {
			t.Calls = d.calls()
		}
	case kind >= 46:
		t.Calls = []Call{d.cutCall()}
		s.Finish, s.Times = string(wire.FinishLength), 0
	case kind >= 40:
		s.Refusal, s.Times = fmt.Sprintf("I will not say that, number %d.", d.number()), 0
	case kind >= 32:
		s.Text = new(d.text("disguised text"))
		d.disguise(s)
	default:
		t.Step = hopeless[d.one(len(hopeless), "error")]
		t.Step.Times = forGood
	}
	return t
}

// disguise lets a whole answer come in another form than the one asked for.
func (d *drawing) disguise(s *scenarios.Step) {
	switch kind := d.one(4, "disguise"); {
	case kind == 0:
		s.Gzip = true
	case kind == 1:
		s.ContentType = "text/plain"
	case kind == 2 && d.streams:
		s.Whole = true
	default:
		s.ContentType = scenarios.NoContentType
	}
}

// cutCall draws a call of which half has come when the token limit is reached.
func (d *drawing) cutCall() Call {
	return Call{Tool: toolbox[0].Name, Arguments: fmt.Sprintf(`{"city":"Oslo, number %d`, d.number())}
}
