package engine_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestOtherBasePaths asks under the base paths that clients are configured with instead of ours.
func TestOtherBasePaths(t *testing.T) {
	srv := start(t, engine.Config{
		Scenarios:     []*scenarios.Scenario{scenario(t, "model: [{text: Done.}]")},
		ExtraProfiles: []*profiles.Profile{profile(t, "anthropic")},
	})
	run := srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}]"), Profile: profile(t, "openai")})
	for _, path := range []string{
		"/v1/chat/completions", "/chat/completions", "/api/v1/chat/completions", "/v1/chat/completions/", "//v1//chat/completions", "/api/chat/completions/",
		"/run/" + run.ID + "/chat/completions", "/run/" + run.ID + "/api/paas/v4/chat/completions",
		"/api/paas/v4/chat/completions", "/compatible-mode/v1/chat/completions", "/inference/v1/chat/completions", "/v1beta/openai/chat/completions",
		"/v1/openai/chat/completions", "/api/v3/chat/completions", "/client/v4/accounts/x/ai/v1/chat/completions",
		"/v1/projects/p/locations/l/endpoints/openapi/chat/completions", "/models/chat/completions", "/models/x/v1/chat/completions", "/v1/models/x/v1/chat/completions",
		"/gateway/openai/deployments/d/chat/completions",
	} {
		if got := do(t, http.MethodPost, srv.URL+path, hello); got.status != 200 || !strings.Contains(got.body, "Done.") {
			t.Errorf("%s answers %d %s", path, got.status, got.body)
		}
	}
	const message = `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"Go."}]}`
	for _, path := range []string{"/v1/messages", "/messages", "/api/v1/messages/", "/anthropic/v1/messages", "/api/anthropic/v1/messages"} {
		if got := do(t, http.MethodPost, srv.URL+path, message); got.status != 200 || !strings.Contains(got.body, "Done.") {
			t.Errorf("%s answers %d %s", path, got.status, got.body)
		}
	}
	if last := srv.Journal().Entries(); last[len(last)-1].Path() != "/api/anthropic/v1/messages" {
		t.Errorf("the journal has the path %s", last[len(last)-1].Path())
	}
	for _, path := range []string{"/v1/v1/chat/completions", "/v1/threads/thread_1/messages", "/x/loopproof/runs", "/chat/completions/x"} {
		if got := do(t, http.MethodPost, srv.URL+path, message); got.status != 404 || !strings.Contains(got.body, "Unknown request URL: POST "+path) {
			t.Errorf("%s answers %d %s", path, got.status, got.body)
		}
	}
	if got := do(t, http.MethodGet, srv.URL+"/wrong", ""); !strings.Contains(got.body, "/v1/messages (profile anthropic)") || strings.Contains(got.body, "/v1/messages (--profile") {
		t.Errorf("the 404 says %s", got.body)
	}
}

// TestEnvelopes: an error has the form of the API whose client asked, or to which the path belongs.
func TestEnvelopes(t *testing.T) {
	p := engine.New(engine.Config{ExtraProfiles: []*profiles.Profile{profile(t, "anthropic"), profile(t, "gemini-3")}})
	for _, c := range []struct {
		method, path, header string
		status               int
		form                 string
	}{
		{"POST", "/v1/models/g:batchGenerateContent", "", 404, `"status":"NOT_FOUND"`},
		{"POST", "/v1/evals", "x-goog-api-key", 404, `"status":"NOT_FOUND"`},
		{"POST", "/v1/evals?key=k", "", 404, `"status":"NOT_FOUND"`},
		{"GET", "/v1beta/tunedModels", "", 404, `"status":"NOT_FOUND"`},
		{"POST", "/v1/messages/nothing", "", 404, `"type":"error"`},
		{"POST", "/proxy/v1/messages/nothing", "", 404, `"type":"error"`},
		{"GET", "/v1/evals", "anthropic-version", 404, `"type":"error"`},
		{"POST", "/v1/evals", "", 404, `"param":null`},
		{"GET", "/v1/models", "x-goog-api-key", 200, `{"models":[{"name":"models/loopproof"`},
		{"GET", "/v1/models/m", "x-goog-api-key", 200, `{"name":"models/m"`},
		{"GET", "/proxy/v1/models", "anthropic-version", 200, `"has_more":false`},
	} {
		req := httptest.NewRequest(c.method, "http://127.0.0.1"+c.path, strings.NewReader("{}"))
		if c.header != "" {
			req.Header.Set(c.header, "any")
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, req)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.form) {
			t.Errorf("%s %s with %q answers %d %s", c.method, c.path, c.header, w.Code, w.Body)
		}
	}
}

// TestHeadersOfProviders: the headers that SDKs show are those of the provider, and not of one that
// only speaks like it.
func TestHeadersOfProviders(t *testing.T) {
	for name, want := range map[string]string{
		"openai": "req_loopproof", "openai-responses": "req_loopproof", "openai-responses-stored": "req_loopproof", "vllm": "", "azure": "",
		"anthropic": "req_011loopproof", "anthropic-4.5": "req_011loopproof", "vllm-messages": "",
	} {
		p := profile(t, name)
		if got := p.Headers["x-request-id"] + p.Headers["request-id"]; got != want {
			t.Errorf("the profile %s has the id %q", name, got)
		}
		srv := start(t, engine.Config{Profile: p})
		got := do(t, http.MethodPost, srv.URL+p.Speaks.Endpoint.Path(), "{}")
		if id := got.header.Get("X-Request-Id") + got.header.Get("Request-Id"); !strings.HasPrefix(id, strings.TrimSuffix(want, "loopproof")) || (id == "") != (want == "") {
			t.Errorf("%s answers %d with the id %q", name, got.status, id)
		}
	}
}

// TestVariablesOfPaths: each request has the variables of its own path, also where other requests
// for the same path, or for another one by another method, come at the same time.
func TestVariablesOfPaths(t *testing.T) {
	p := engine.New(engine.Config{Profile: profile(t, "openai-responses")})
	var all sync.WaitGroup
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		for _, id := range []string{"resp_a", "resp_b"} {
			all.Go(func() {
				for range 50 {
					w := httptest.NewRecorder()
					p.ServeHTTP(w, httptest.NewRequest(method, "/v1/responses/"+id, nil))
					if known := method != http.MethodPut; known != strings.Contains(w.Body.String(), "'"+id+"'") {
						t.Errorf("%s %s answers %d %s", method, id, w.Code, w.Body)
						return
					}
				}
			})
		}
	}
	all.Wait()
}

func TestModels(t *testing.T) {
	srv := start(t, engine.Config{Models: []string{"small", "org/large"}})
	if got := do(t, http.MethodGet, srv.URL+"/v1/models", ""); got.body != `{"object":"list","data":[{"id":"small","object":"model","created":1767225600,"owned_by":"openai"},{"id":"org/large","object":"model","created":1767225600,"owned_by":"openai"}]}` {
		t.Errorf("the list is %s", got.body)
	}
	if got := do(t, http.MethodGet, srv.URL+"/v1/models/org/large", ""); got.status != 200 || !strings.HasPrefix(got.body, `{"id":"org/large"`) {
		t.Errorf("a model is %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodGet, srv.URL+"/v1/models/none", ""); got.status != 404 || !strings.Contains(got.body, `"The model 'none' does not exist"`) || !strings.Contains(got.body, "model_not_found") {
		t.Errorf("an unknown model is %d %s", got.status, got.body)
	}
	any := start(t, engine.Config{Profile: profile(t, "anthropic")})
	if got := do(t, http.MethodGet, any.URL+"/v1/models/claude", ""); got.body != `{"type":"model","id":"claude","display_name":"claude","created_at":"2026-01-01T00:00:00Z"}` {
		t.Errorf("a model of Anthropic is %s", got.body)
	}
	if got := do(t, http.MethodGet, any.URL+"/v1/models", ""); !strings.Contains(got.body, `"has_more":false,"first_id":"loopproof","last_id":"loopproof"`) {
		t.Errorf("the list of Anthropic is %s", got.body)
	}
}

func TestCompressedRequest(t *testing.T) {
	srv := start(t, engine.Config{})
	req, err := http.NewRequest(http.MethodPost, srv.URL+"/v1/chat/completions", strings.NewReader("\x1f\x8b"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Encoding", "gzip")
	if got := send(t, req); got.status != 400 || !strings.Contains(got.body, "Content-Encoding: gzip") {
		t.Errorf("answered %d %s", got.status, got.body)
	}
}
