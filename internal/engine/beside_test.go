package engine_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// besides are requests for something else than a turn, by what the journal calls it.
var besides = []struct{ api, profile, method, path, body string }{
	{"embeddings", "openai", "POST", "/v1/embeddings", `{"model":"text-embedding-3-small","input":"x"}`},
	{"embeddings", "gemini-3", "POST", "/v1beta/models/e:embedContent", `{"content":{"parts":[{"text":"x"}]}}`},
	{"moderations", "openai", "POST", "/v1/moderations", `{"input":"x"}`},
	{"tokens", "anthropic", "POST", "/v1/messages/count_tokens", `{"model":"m","messages":[{"role":"user","content":"Go."}]}`},
	{"tokens", "openai-responses", "POST", "/v1/responses/input_tokens", `{"model":"m","input":"Go."}`},
	{"tokens", "gemini-3", "POST", "/v1beta/models/g:countTokens", `{"contents":[{"parts":[{"text":"x"}]}]}`},
	{"conversations", "openai-responses", "POST", "/v1/conversations", `{}`},
	{"transcriptions", "openai", "POST", "/v1/audio/transcriptions", `{}`},
	{"message-batches", "anthropic", "GET", "/v1/messages/batches/b", ""},
	{"models", "openai", "GET", "/v1/models", ""},
	{"models", "gemini-3", "GET", "/v1beta/models/g", ""},
}

func besideServer(t *testing.T, name string, c engine.Config) *engine.Server {
	t.Helper()
	c.Profile = profile(t, name)
	c.Scenarios = []*scenarios.Scenario{script(t, "s/beside", "model:\n  - text: Hi.")}
	return start(t, c)
}

// What is asked besides turns is noted and told like a turn.
func TestBesideTurnsIsNoted(t *testing.T) {
	for _, b := range besides {
		t.Run(b.path, func(t *testing.T) {
			var mu sync.Mutex
			var told []engine.Entry
			srv := besideServer(t, b.profile, engine.Config{OnExchangeDone: func(e engine.Entry) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, e)
			}})
			got := do(t, b.method, srv.URL+b.path, b.body)
			e := ended(t, srv)
			if got.status != http.StatusOK || e.API != b.api || e.Unrouted || e.Outcome() != "answered" || string(e.Answer.Body()) != got.body || string(e.Body()) != b.body {
				t.Errorf("answered %d %.200s; noted as %q, %s, with %.200s", got.status, got.body, e.API, e.Outcome(), e.Answer.Body())
			}
			if found := (journal.Filter{Path: b.path}).Of(srv.Journal().Entries()); len(found) != 1 {
				t.Errorf("the filter finds %d", len(found))
			}
			want := 1
			if b.api == journal.Models { // which may be a probe
				want = 0
			}
			if sum := srv.Journal().Sum(); sum.Requests != want || sum.Unreadable != 0 || sum.Unscripted != 0 {
				t.Errorf("the sum is %+v", sum)
			}
			mu.Lock()
			defer mu.Unlock()
			if len(told) != 1 || !told[0].Done || told[0].API != b.api {
				t.Errorf("%d entries are told", len(told))
			}
		})
	}
}

// Faults, waits and limits are those of turns.
func TestBesideTurnsBehaves(t *testing.T) {
	for _, b := range besides {
		srv := besideServer(t, b.profile, engine.Config{Behaviour: behaviour(t, "faults: [{status: 429, retry-after: 2s, times: 1}]")})
		first, second := do(t, b.method, srv.URL+b.path, b.body), do(t, b.method, srv.URL+b.path, b.body)
		if first.status != http.StatusTooManyRequests || first.header.Get("Retry-After") != "2" || second.status != http.StatusOK {
			t.Errorf("%s is answered %d %v, then %d", b.path, first.status, first.header, second.status)
		}
		if e := srv.Journal().Entries()[0]; e.Fault != "status 429" {
			t.Errorf("the fault of %s is noted as %q", b.path, e.Fault)
		}
		slow := &clock{}
		srv = besideServer(t, b.profile, engine.Config{Clock: slow, Behaviour: behaviour(t, "first-token: 500ms")})
		if do(t, b.method, srv.URL+b.path, b.body); len(slow.slept) != 1 || slow.slept[0] != 500*time.Millisecond {
			t.Errorf("%s waited %v", b.path, slow.slept)
		}
		srv = besideServer(t, b.profile, engine.Config{Clock: slow, Behaviour: behaviour(t, "rate-limit: {requests: 1}")})
		do(t, b.method, srv.URL+b.path, b.body)
		if limited := do(t, b.method, srv.URL+b.path, b.body); limited.status != http.StatusTooManyRequests {
			t.Errorf("the second %s is answered %d", b.path, limited.status)
		}
		srv = besideServer(t, b.profile, engine.Config{Behaviour: behaviour(t, "faults: [{reset: {after: 0 events}}]")})
		if cut := mayFail(t, b.method, srv.URL+b.path, b.body); cut == nil {
			t.Errorf("%s is whole", b.path)
		}
	}
}

// A header asks for a behaviour, and a run has a journal of its own.
func TestBesideTurnsInARun(t *testing.T) {
	srv := besideServer(t, "openai", engine.Config{})
	run, err := srv.StartTestRun(engine.TestRunConfig{ID: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequest(http.MethodPost, srv.URL+"/run/mine/v1/embeddings", strings.NewReader(`{"model":"m","input":"x"}`))
	req.Header.Set(engine.BehaviourHeader, "faults: [{status: 503}]")
	if got := send(t, req); got.status != http.StatusServiceUnavailable {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	req, _ = http.NewRequest(http.MethodPost, srv.URL+"/run/mine/v1/embeddings", strings.NewReader(`{"model":"m","input":"x"}`))
	req.Header.Set(engine.BehaviourHeader, "no such: 1")
	if got := send(t, req); got.status != http.StatusBadRequest {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if in, out := len(run.Journal().Entries()), len(srv.Journal().Entries()); in != 2 || out != 0 {
		t.Errorf("%d requests in the run, and %d outside", in, out)
	}
}

// What cannot be read is unreadable, as a request for a turn is.
func TestBesideTurnsUnreadable(t *testing.T) {
	srv := besideServer(t, "openai", engine.Config{})
	if got := do(t, http.MethodPost, srv.URL+"/v1/embeddings", "{"); got.status != http.StatusBadRequest {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if e, sum := ended(t, srv), srv.Journal().Sum(); e.Outcome() != "unreadable" || sum.Unreadable != 1 {
		t.Errorf("the outcome is %s, and the sum %+v", e.Outcome(), sum)
	}
}

// mayFail sends a request, and returns why it got no whole answer, or nil.
func mayFail(t *testing.T, method, url, body string) error {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
