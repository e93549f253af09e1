package engine_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// controls are the paths of the control API that take a body, and those that read what the others
// did.
var controls = []struct{ method, path string }{
	{http.MethodPost, "/loopproof/runs"}, {http.MethodPost, "/loopproof/assert"}, {http.MethodPost, "/loopproof/wait"}, {http.MethodPost, "/loopproof/lint"},
	{http.MethodPost, "/loopproof/runs/default/reset"}, {http.MethodDelete, "/loopproof/runs/mine"},
	{http.MethodGet, "/loopproof/assert"}, {http.MethodGet, "/loopproof/requests"}, {http.MethodGet, "/loopproof/runs/mine/requests/1/value"}, {http.MethodGet, "/loopproof/show/default/1"},
}

// Whatever is sent to the control API, it is answered or refused in its form, and what is sent next
// is answered as before.
func FuzzControl(f *testing.F) {
	for _, c := range []struct {
		at          byte
		query, body string
	}{
		{0, "", `{"scenario":"pairing/two-tools","delivery":"sse-bytes","secret":"x"}`}, {0, "", `{"yaml":"loopproof: 1\ntitle: t\nprompt: Hi\nmodel: [{text: a}]\n"}`},
		{0, "", `{"id":"mine","scripts":["loopproof: 1\ntitle: t\nmodel: [{text: '{{ user }}'}]\n"],"behaviour":{"first-token":"2s"}}`}, {0, "", `{"id":"../x","lenient":7}`},
		{1, "", `{"called":"look","times":1,"where":{"/a":1}}`}, {2, "within=1ms&called=look", ``}, {3, "", `{"messages":[{"role":"tool"}]}`}, {3, "", "text=%7B%22input%22%3A7%7D"},
		{4, "", ""}, {5, "", ""}, {6, "called=look&arguments=%7B%7D&at=-1", ""}, {7, "run=default&limit=x", ""}, {8, "pointer=/messages/0", ""}, {9, "", ""},
	} {
		f.Add(c.at, c.query, []byte(c.body))
	}
	s := script(f, "x", "model: [{text: '{{ user }}'}]\n")
	f.Fuzz(func(t *testing.T, at byte, query string, body []byte) {
		p := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{s}, Clock: &clock{}})
		if got := serve(p, hello); got.Code != http.StatusOK {
			t.Fatalf("the first request is answered %d", got.Code)
		}
		to := controls[int(at)%len(controls)]
		req := httptest.NewRequest(to.method, "http://127.0.0.1"+to.path, strings.NewReader(string(body)))
		req.URL.RawQuery = query
		w := httptest.NewRecorder()
		p.ServeHTTP(w, req)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s %s is answered %d %s", to.method, to.path, w.Code, w.Body)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s is answered by what is no JSON: %q", to.method, to.path, w.Body)
		}
		if got := serve(p, hello); got.Code != http.StatusOK || !strings.Contains(got.Body.String(), "Go.") {
			t.Errorf("the next request is answered %d %s", got.Code, got.Body)
		}
	})
}

// Whatever a request asks for in its header as the behaviour, it is answered so, or told what is
// wrong with that.
func FuzzBehaviourHeader(f *testing.F) {
	for _, text := range []string{
		"first-token: 1h", "tokens-per-second: 1, chunk: 1, jitter: 100%", "bytes-per-second: 3", "faults: [{malformed: {after: 1 event}}]", "faults: [{reset: {after: 0 events}}]", "faults: [{in-band-error: {after: 50%}}]",
		"faults: [{status: 429, retry-after: 1h, error: {message: x}}]", "rate-limit: {requests: 1, tokens: 1, per: 1h}", "faults: [{stall: {after: 1 event, for: 1h}}]", "ids: unique", "chnk: 1",
	} {
		f.Add(text, true)
	}
	s := script(f, "x", "model: [{text: Hello from the mock.}]\n")
	f.Fuzz(func(t *testing.T, text string, stream bool) {
		p := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{s}, Clock: &clock{}})
		body := hello
		if stream {
			body = streamed
		}
		for range 2 {
			req := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body))
			req.Header.Set(engine.BehaviourHeader, text)
			w := httptest.NewRecorder()
			serveSevered(p, w, req)
			_, err := scenarios.ParseBehaviour("b", text)
			if wrong := err != nil && text != ""; wrong != (w.Code == http.StatusBadRequest && strings.Contains(w.Body.String(), engine.BehaviourHeader)) {
				t.Errorf("a header with the mistake %v is answered %d %s", err, w.Code, w.Body)
			}
		}
		if n := p.Journal().Count(); n != 2 {
			t.Errorf("the journal counts %d of 2 requests", n)
		}
		for _, x := range p.Journal().Entries() {
			if !x.Done {
				t.Errorf("request %d has no end", x.Number)
			}
		}
	})
}

// serveSevered asks a provider that may sever the connection, which a recorder has not.
func serveSevered(p *engine.Provider, w http.ResponseWriter, r *http.Request) {
	defer func() {
		if what := recover(); what != nil && what != http.ErrAbortHandler {
			panic(what)
		}
	}()
	p.ServeHTTP(w, r)
}
