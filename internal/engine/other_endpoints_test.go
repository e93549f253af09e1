package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/engine"
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
