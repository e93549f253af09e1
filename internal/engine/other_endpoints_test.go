package engine_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestOtherEndpoints: images and the like have answers, belong to a run, and are in its journal; a
// file adds others.
func TestOtherEndpoints(t *testing.T) {
	own, err := endpoints.Parse("own.yaml", []byte(`
loopproof: 1
endpoints:
  - {name: search, paths: [POST /search], when: {/query: weather}, json: {found: "{/query}"}}
  - {name: images, paths: [POST /images/generations], status: 201, json: {own: true}}
  - {name: speech, paths: [POST /audio/speech], content-type: text/plain, text: mine}
`))
	if err != nil {
		t.Fatal(err)
	}
	srv := start(t, engine.Config{Endpoints: own})
	run, err := srv.StartTestRun(engine.TestRunConfig{ID: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	base := srv.URL + "/run/mine"
	for _, c := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"/v1/audio/transcriptions", `{}`, 200, "Hello."},
		{"/openai/deployments/d/images/generations", `{}`, 201, `{"own":true}`},
		{"/v1/audio/speech", `{"response_format":"wav"}`, 200, "mine"}, // though one that is built in has a condition
		{"/search", `{"query":"weather"}`, 200, `{"found":"weather"}`},
		{"/search", `{"query":"news"}`, 404, "the conditions"},
		{"/v1/assistants", `{}`, 404, "constant answers"},
	} {
		if got := do(t, http.MethodPost, base+c.path, c.body); got.status != c.status || !strings.Contains(got.body, c.says) {
			t.Errorf("%s answers %d %s", c.path, got.status, got.body)
		}
	}
	var apis []string
	for _, e := range run.Journal().Entries() {
		apis = append(apis, e.API)
	}
	if got := strings.Join(apis, " "); got != "transcriptions images speech search search" {
		t.Errorf("the journal of the run has %s", got)
	}
}

// A script has endpoints, too: they belong to the runs that play it, and win over a fallback.
func TestEndpointsOfScripts(t *testing.T) {
	fallback := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "forwarded") })
	srv := start(t, engine.Config{Fallback: fallback})
	run := testRun(t, srv, engine.TestRunConfig{Scenarios: []*scenarios.Scenario{script(t, "mine", `
endpoints:
  - {name: moderations, paths: [POST /moderations], when: {/input: mine}, json: {mine: true}}
  - {name: search, paths: [POST /search], json: {found: "{/query}"}}
`)}})
	for _, c := range []struct{ path, body, says string }{
		{"/run/" + run.ID + "/v1/moderations", `{"input":"mine"}`, `{"mine":true}`},
		{"/run/" + run.ID + "/search", `{"query":"a"}`, `{"found":"a"}`},
		{"/v1/moderations", `{"input":"mine"}`, "forwarded"},
	} {
		if got := do(t, http.MethodPost, srv.URL+c.path, c.body); got.status != 200 || got.body != c.says {
			t.Errorf("%s answers %d %s, want %s", c.path, got.status, got.body, c.says)
		}
	}
}
