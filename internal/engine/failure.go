package engine

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// failedTurn is what comes instead of an answer: an error of the provider, a redirect, or nothing
// at all.
func (p *Provider) failedTurn(profile *profiles.Profile, t *scenarios.Turn) response {
	s := t.Step
	switch {
	case t.Lost():
		return lostResponse(s)
	case s.SocketExpires:
		return response{status: http.StatusBadRequest, contentType: jsonType, body: profile.Speaks.Endpoint.Socket.Expired.JSON()}
	case t.Redirects():
		return response{status: s.Redirect, contentType: "text/html; charset=utf-8", body: []byte(moved), redirectToSelf: true}.applyTransport(s)
	}
	words := t.ErrorWords(profile)
	if s.RetryAfterAs == scenarios.WaitDetails {
		words.Details = slices.Concat(words.Details, profile.Speaks.Errors.RetryDetails(*s.RetryAfter))
	}
	resp := errorResponse(profile, s.Status, words)
	if s.Body != nil {
		resp.body, resp.contentType = []byte(*s.Body), cmp.Or(s.ContentType, jsonType)
	}
	if after := s.RetryAfter; after != nil && s.RetryAfterAs != scenarios.WaitDetails {
		resp = resp.with(p.retryAfter(*after, s.RetryAfterAs))
	}
	return resp.applyTransport(s)
}

// halfAnswer is an answer that ends in the middle of its text, as if that were all.
func halfAnswer(p *profiles.Profile, t *scenarios.Turn, reply wire.Reply) response {
	body := p.Shape.Write(t.Half, reply)
	body = body[:wire.MiddleOf(t.Half.Text, body)]
	return response{status: http.StatusOK, contentType: jsonType, headers: p.Headers, body: body}.applyTransport(t.Step)
}

const moved = "<html><head><title>Moved</title></head><body>Moved</body></html>"

// lostResponse is a response without a byte. A connection that should have been refused, but was
// made before, is reset.
func lostResponse(s *scenarios.Step) response {
	resp := response{noResponse: true, ending: severed}
	if s.Stall != nil {
		resp.stall = s.Stall.For
	}
	if s.Reset != nil || s.Refused {
		resp.ending = reset
	}
	return resp
}

// applyTransport adds what a step says about headers, compression and the connection.
func (r response) applyTransport(s *scenarios.Step) response {
	r.contentType = cmp.Or(s.ContentType, r.contentType)
	r.gzip = s.Gzip
	if s.Stall != nil {
		r.stall = s.Stall.For
	}
	headers := map[string]string{}
	for _, h := range s.Headers {
		headers[h.Name] = h.Value
	}
	return r.with(headers)
}

// with returns the response with more headers.
func (r response) with(more map[string]string) response {
	if len(more) == 0 {
		return r
	}
	headers := maps.Clone(r.headers)
	if headers == nil {
		headers = map[string]string{}
	}
	maps.Copy(headers, more)
	r.headers, r.head = headers, nil
	return r
}

// retryAfter returns the header that says when to ask again. A time of less than a second can only
// be said in milliseconds, in the header of OpenAI and Azure. A date has whole seconds: the one in
// which the wait is over.
func (p *Provider) retryAfter(d time.Duration, as scenarios.WaitForm) map[string]string {
	switch {
	case as == scenarios.WaitDate:
		until := p.config.Clock.Now().Add(d + time.Second - 1).UTC().Truncate(time.Second)
		return map[string]string{"retry-after": until.Format(http.TimeFormat)}
	case as == scenarios.WaitMilliseconds || as == "" && d%time.Second != 0:
		return map[string]string{"retry-after-ms": strconv.FormatInt(d.Milliseconds(), 10)}
	default:
		return map[string]string{"retry-after": strconv.FormatFloat(d.Seconds(), 'f', -1, 64)}
	}
}
