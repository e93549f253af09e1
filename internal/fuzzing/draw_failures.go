package fuzzing

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// maxAttempts is how many attempts at a turn fail at most before one passes: what clients retry by
// default.
const maxAttempts = 2

// passingFailures are the ways in which attempts fail before the model is heard, where the loop
// claims to retry.
func (g *Grammar) passingFailures() (kinds []kind) {
	if !g.claims(protocol.Retries) {
		return nil
	}
	for _, failure := range append(errorsThatPass(), g.breaks()...) {
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			turns := c.turns()
			failing := []*Turn{turns[d.one(len(turns), "failing turn")]}
			if d.chance(25, "all turns fail") {
				failing = turns
			}
			for i, t := range failing {
				s := failure(d)
				if s.RetryAfter != nil && i > 0 {
					return // so many waits take longer than a loop has for its task
				}
				t.Failures = append(t.Failures, s)
				if s.RetryAfter == nil && d.chance(25, "further failed attempt") && len(t.Failures) < maxAttempts {
					t.Failures = append(t.Failures, failure(d))
				}
			}
		})
	}
	return kinds
}

// failing draws a step that is no whole answer.
type failing func(*drawing) scenarios.Step

func always(s scenarios.Step) failing { return func(*drawing) scenarios.Step { return s } }

// retriedStatuses are those after which the same request may be answered.
var retriedStatuses = []int{
	http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusBadGateway,
	http.StatusRequestTimeout, http.StatusGatewayTimeout, http.StatusConflict, overloaded,
}

// overloaded is the status of Anthropic, and of gateways, when all of it is busy.
const overloaded = 529

// oddWaits are values of retry-after that say nothing.
var oddWaits = []string{"soon", "-5", "0", "Thu, 01 Jan 1970 00:00:00 GMT"}

// errorsThatPass are errors after which the same request is answered, as providers and what is
// before them word them.
func errorsThatPass() (all []failing) {
	for i, status := range retriedStatuses {
		plain := always(scenarios.Step{Status: status})
		if status == overloaded {
			plain = at(func(p *profiles.Profile) bool { return !namesQuotas(p) }, scenarios.Step{Status: status}) // nothing of Google's answers so
		}
		all = append(all, plain)
		waits := []scenarios.Step{
			{RetryAfter: new(time.Second)},
			{RetryAfter: new(900 * time.Millisecond)},
			{RetryAfter: new(time.Second), Transport: scenarios.Transport{RetryAfterAs: scenarios.WaitDate}},
			{RetryAfter: new(time.Second), Transport: scenarios.Transport{RetryAfterAs: scenarios.WaitDetails}},
			{RetryAfter: new(900 * time.Millisecond), Transport: scenarios.Transport{RetryAfterAs: scenarios.WaitDetails}},
		}
		if i < len(waits) {
			for _, busy := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
				wait := waits[i]
				wait.Status = busy
				all = append(all, always(wait))
			}
		}
	}
	all = append(all,
		always(scenarios.Step{Status: http.StatusTooManyRequests, Transport: headers("retry-after-ms", "0", "retry-after", "2")}),
		always(scenarios.Step{Status: http.StatusTooManyRequests, RetryAfter: new(900 * time.Millisecond), Transport: headers(
			"x-ratelimit-limit-tokens", "30000", "x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "900ms")}),
		readByOwnClients(scenarios.Step{Status: http.StatusBadRequest, Transport: headers("x-should-retry", "true")}),
	)
	for _, value := range oddWaits {
		all = append(all, always(scenarios.Step{Status: http.StatusTooManyRequests, Transport: headers("retry-after", value)}))
	}
	for _, sent := range slices.Concat(
		bodies(http.StatusBadGateway, "text/html", "<html><body>Bad Gateway</body></html>"),
		bodies(http.StatusGatewayTimeout, "text/plain", "upstream request timeout"),
		bodies(http.StatusInternalServerError, "", ""),
		[]scenarios.Step{{Status: http.StatusServiceUnavailable, Transport: scenarios.Transport{Gzip: true}}},
	) {
		all = append(all, always(sent))
	}
	for _, status := range []int{http.StatusPermanentRedirect, http.StatusTemporaryRedirect} {
		all = append(all, always(scenarios.Step{Transport: scenarios.Transport{Redirect: status}}))
	}
	return all
}

// headers returns the transport of an answer with some headers: a name, its value, and so on.
func headers(all ...string) (t scenarios.Transport) {
	for pair := range slices.Chunk(all, 2) {
		t.Headers = append(t.Headers, scenarios.Header{Name: pair[0], Value: pair[1]})
	}
	return t
}

// readByOwnClients draws a failure that only the clients of some providers know how to read, at
// those providers.
func readByOwnClients(s scenarios.Step) failing { return at(isOwnProvider, s) }

// at draws a failure at some providers.
func at(some func(*profiles.Profile) bool, s scenarios.Step) failing {
	return func(d *drawing) scenarios.Step {
		d.only = some
		return s
	}
}

// isOwnProvider reports whether a profile is that of a provider whose own clients and streams are
// known in detail.
func isOwnProvider(p *profiles.Profile) bool {
	return slices.Contains([]string{"openai", "openai-responses", "anthropic"}, p.Name)
}

// breaks are the ways in which an answer breaks off, at all places, or does not even begin.
func (g *Grammar) breaks() []failing {
	nothing := &scenarios.Break{Before: "headers"}
	all := []failing{always(scenarios.Step{Cut: nothing}), always(scenarios.Step{Reset: nothing})}
	places := []string{"finish"}
	if g.streams() {
		places = append(places, "some event")
	}
	for _, place := range places {
		for _, breaks := range []func(*scenarios.Step, *scenarios.Break){
			func(s *scenarios.Step, at *scenarios.Break) { s.Cut = at },
			func(s *scenarios.Step, at *scenarios.Break) { s.Reset = at },
			func(s *scenarios.Step, at *scenarios.Break) { s.InBandError = &scenarios.BandError{Break: *at} },
		} {
			for _, said := range []func(*drawing) scenarios.Step{brokenText, brokenCall} {
				all = append(all, func(d *drawing) scenarios.Step {
					s := said(d)
					breaks(&s, d.place(place))
					return s
				})
			}
		}
	}
	return all
}

// place draws where an answer breaks off.
func (d *drawing) place(where string) *scenarios.Break {
	if where == "finish" {
		return &scenarios.Break{Before: where}
	}
	d.streams = true // a document has no events
	return &scenarios.Break{After: scenarios.Amount{N: 1 + d.upTo(5, "events"), Unit: "events"}}
}

func brokenText(d *drawing) scenarios.Step {
	return scenarios.Step{Text: new(d.text("broken text") + " There was more to come.")}
}

// brokenCall draws a call that breaks off. What a loop makes of it is seen, since nothing else asks
// for that city.
func brokenCall(d *drawing) scenarios.Step {
	n := d.number()
	s := scenarios.Step{Calls: []scenarios.Call{{As: fmt.Sprintf("broken-%d", n), Tool: toolbox[0].Name, Arguments: fmt.Sprintf(`{"city":"Bonn, number %d"}`, n)}}}
	if d.chance(30, "text beside broken call") {
		s.Text = new(d.text("text beside broken call"))
	}
	return s
}

// hopeless are errors that no attempt passes, as providers word them, and statuses of success
// without an answer.
var hopeless = slices.Concat(
	[]scenarios.Step{
		{Status: http.StatusServiceUnavailable},
		{Status: http.StatusTooManyRequests},
		{Status: http.StatusBadRequest, Error: &profiles.Words{Message: "The messages have too many tokens."}},
		{Status: http.StatusUnauthorized},
		{Status: http.StatusForbidden, Error: &profiles.Words{Message: "The region is not supported."}},
		{Status: http.StatusNotFound},
		{Status: http.StatusPaymentRequired, Error: &profiles.Words{Message: "The balance is used up."}},
		{Status: http.StatusRequestEntityTooLarge, Error: &profiles.Words{Message: "The request is too large."}},
		{Status: http.StatusUnprocessableEntity, Error: &profiles.Words{Message: "The inputs are not valid."}},
		{Status: http.StatusTooManyRequests, Error: &profiles.Words{Message: "You exceeded your current quota, please check your plan and billing details.", Type: new("insufficient_quota"), Code: new("insufficient_quota")}},
		{Status: http.StatusTooManyRequests, Error: &profiles.Words{Message: "Request too large for loopproof in organization org-loopproof on tokens per min (TPM): Limit 200000, Requested 480002. The input or output tokens must be reduced in order to run successfully.", Type: new("tokens"), Code: new("rate_limit_exceeded")}},
		{Status: http.StatusTooManyRequests, RetryAfter: new(24 * time.Hour)},
		{Status: http.StatusServiceUnavailable, Transport: headers("x-should-retry", "false")},
		{Status: http.StatusBadRequest, Transport: scenarios.Transport{Gzip: true}},
		{Transport: scenarios.Transport{Redirect: http.StatusFound}},
	},
	bodies(http.StatusBadGateway, "text/html", "<html><body>Bad Gateway</body></html>"),
	bodies(http.StatusServiceUnavailable, "text/plain", "upstream connect error"),
	bodies(http.StatusInternalServerError, "", ""),
	bodies(http.StatusBadRequest, "", "", `{"error":"The model is not loaded."}`, `{"message":"The model is not loaded."}`, `{"detail":[{"msg":"The model is not loaded."}]}`, `[{"error":{"code":400,"message":"The model is not loaded."}}]`, `{"error":{"message":"The model is`),
	bodies(http.StatusOK, "text/html", "<html><body>Please sign in.</body></html>"),
	bodies(http.StatusOK, "", "", `{"detail":"no worker is free"}`, `{"error":{"message":"The provider is overloaded."}}`, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, `{"ok":true,"result":"queued"}`, "{", "null"),
	bodies(http.StatusOK, "text/event-stream", "data: [DONE]\n\n", ": ping\n\n: ping\n\n"),
)

// dailyQuota is a rate limit of a day, which has the form of one of a minute, and only its details
// name the quota.
var dailyQuota = scenarios.Step{
	Status: http.StatusTooManyRequests, RetryAfter: new(50 * time.Millisecond), Transport: scenarios.Transport{RetryAfterAs: scenarios.WaitDetails},
	Error: &profiles.Words{
		Message: "You exceeded your current quota, please check your plan and billing details.", Code: new("RESOURCE_EXHAUSTED"),
		Details: []wire.Fields{wire.Fields{}.
			With("@type", "type.googleapis.com/google.rpc.QuotaFailure").
			With("violations", wire.Raw(`[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"250"}]`))},
	},
}

// namesQuotas reports whether errors of a provider have details, in which a quota is named.
func namesQuotas(p *profiles.Profile) bool { return p.Speaks.Errors.RetryDetails != nil }

// bodies returns steps with bodies that are sent with a status, instead of what the provider says.
func bodies(status int, contentType string, all ...string) (steps []scenarios.Step) {
	for _, body := range all {
		steps = append(steps, scenarios.Step{Status: status, Transport: scenarios.Transport{Body: &body, ContentType: contentType}})
	}
	return steps
}
