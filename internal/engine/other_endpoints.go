package engine

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/profiles"
)

// otherEndpoint returns what answers a path that no dialect has: an endpoint of a file, or one that
// is built in. A loop that is judged asks the model, and for nothing else but moderations.
func (p *Provider) otherEndpoint(r *http.Request) (api besideAPI, ok bool) {
	_, judged := p.runs.Load(runInPath(r.URL.Path))
	named, _ := endpoints.AtPath(p.endpointsFor(r), r.Method, r.URL.Path)
	if named == nil || judged && named.Made == "" || doubled(strings.Split(r.URL.Path, "/"), "v1") {
		return api, false
	}
	scripted := func(_ target, r *http.Request) bool {
		body, _ := p.peek(r)
		e, _ := endpoints.Find(p.endpointsFor(r), p.endpointRequest(r, body))
		return e != nil && !e.BuiltIn()
	}
	return besideAPI{name: named.Name, forwards: true, scripted: scripted, answer: p.answerEndpoint}, true
}

// endpointsFor returns the endpoints that may answer a request, those of the scripts of its run
// last.
func (p *Provider) endpointsFor(r *http.Request) []endpoints.Endpoint {
	all := p.otherEndpoints()
	run, err := p.findRun(r)
	if one, is := run.(*TestRun); is && err == nil {
		for s := range one.played() {
			all = append(slices.Clip(all), s.Endpoints...)
		}
	}
	return all
}

func (p *Provider) endpointRequest(r *http.Request, body []byte) endpoints.Request {
	req := endpoints.Request{Method: r.Method, Path: r.URL.Path, Base: baseOf(r), Body: endpoints.Body(r.Header.Get("Content-Type"), body)}
	if d := p.toldByHeader(r); d != nil {
		req.Client = d.Name
	}
	return req
}

func (p *Provider) answerEndpoint(t target, r *http.Request, body []byte) (response, error) {
	req := p.endpointRequest(r, body)
	req.New = p.newID(t.settings())
	e, vars := endpoints.Find(p.endpointsFor(r), req)
	if e == nil {
		return failure(t.settings().profile, http.StatusNotFound, fmt.Sprintf("No endpoint answers this request to %s %s: the conditions (when, client) of all that have the path are for others.", r.Method, shownPath(r))), nil
	}
	a := e.Answer(req, vars)
	return response{status: a.Status, contentType: a.ContentType, headers: a.Headers, body: a.Body}, nil
}

var newForm = sync.OnceValue(func() profiles.Pattern { return profiles.MustPattern("{alnum:24}") })

// newID returns the end of an id that no other answer of a run has. The n-th request has the same on
// every server with the same secret.
func (p *Provider) newID(s *settings) string {
	return newForm().Expand(s.chance("new", s.journal.NumberRequest()), "", 0)
}

// baseOf returns the URL of the server as a client named it.
func baseOf(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	base := scheme + "://" + r.Host
	if id := runInPath(r.URL.Path); id != "" {
		base += "/run/" + id
	}
	return base
}
