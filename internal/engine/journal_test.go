package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

func TestJournalForgetsTheOldest(t *testing.T) {
	srv := engine.New(engine.Config{Limits: engine.Limits{JournalEntries: 3}, Scenarios: []*scenarios.Scenario{scenario(t, "model: [{text: Done., times: 9}]")}})
	var watched []int
	srv.Journal().Watch(func(e engine.Entry) { watched = append(watched, e.Number) })
	for n := range 5 {
		serve(srv, fmt.Sprintf(`{"model":"m%d","messages":[{"role":"user","content":"Go."}]}`, n+1))
	}
	var kept []string
	for _, e := range srv.Journal().Entries() {
		kept = append(kept, fmt.Sprint(e.Number, e.Exchange.Request.Model))
	}
	if got := fmt.Sprint(kept, watched, srv.Journal().Count()); got != "[3m3 4m4 5m5] [1 2 3 4 5] 5" {
		t.Errorf("kept, watched and counted %s", got)
	}
	srv.Journal().Reset()
	if n := len(srv.Journal().Entries()); n != 0 || srv.Journal().Count() != 0 {
		t.Errorf("after a reset there are %d entries", n)
	}
}

// The journal shows requests and what is wrong with them, and no key.
func TestControl(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	ask(t, srv.URL, hello)
	ask(t, srv.URL, messages(user, quiet, user))
	ask(t, srv.URL, "{")
	do(t, http.MethodPost, srv.URL+"/v1/nothing", "{}")

	shown := do(t, http.MethodGet, srv.URL+"/loopproof/requests?unrouted=true", "")
	var journal struct {
		Count    int
		Requests []struct {
			Number   int
			Scenario string
			Turn     *int
			Unrouted bool
			Problem  string
			Refusal  *struct{ Rule string }
			Findings []struct{ Rule string }
			Messages []any `json:"new"`
		}
	}
	if err := json.Unmarshal([]byte(shown.body), &journal); err != nil || journal.Count != 4 {
		t.Fatalf("the journal is %s, %v", shown.body, err)
	}
	good, violation, broken, unrouted := journal.Requests[0], journal.Requests[1], journal.Requests[2], journal.Requests[3]
	if good.Number != 1 || good.Scenario != "test/scenario" || good.Turn == nil || *good.Turn != 0 || len(good.Messages) != 1 {
		t.Errorf("the good request is shown as %+v", good)
	}
	if violation.Refusal == nil || violation.Refusal.Rule != "pairing/every-call-answered" || len(violation.Findings) == 0 {
		t.Errorf("the violation is shown as %+v", violation)
	}
	if !strings.Contains(broken.Problem, "breaks off") || len(broken.Messages) != 0 || broken.Unrouted {
		t.Errorf("the broken request is shown as %+v", broken)
	}
	if !unrouted.Unrouted || !strings.Contains(unrouted.Problem, "/v1/embeddings") {
		t.Errorf("the unrouted request is shown as %+v", unrouted)
	}
	if strings.Contains(shown.body, "secret") {
		t.Errorf("the journal shows a key: %s", shown.body)
	}

	if got := do(t, http.MethodPost, srv.URL+"/loopproof/runs/default/reset", ""); got.body != "{\"status\":\"ok\"}\n" {
		t.Errorf("reset answers %s", got.body)
	}
	if got := do(t, http.MethodGet, srv.URL+"/loopproof/requests?unrouted=true", ""); got.body != "{\"count\":0,\"requests\":[]}\n" {
		t.Errorf("after a reset the journal is %s", got.body)
	}
	if got := do(t, http.MethodGet, srv.URL+"/loopproof/healthz", ""); got.status != 200 || got.body != "{\"status\":\"ok\"}\n" {
		t.Errorf("healthz answers %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodGet, srv.URL+"/loopproof/runs/default/reset", ""); got.status != 405 {
		t.Errorf("a GET of reset answers %d", got.status)
	}
}

// The same conversation is reached under the paths that the SDKs of Azure use, and models are
// listed.
func TestOtherPaths(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	for _, path := range []string{"/v1/chat/completions", "/openai/v1/chat/completions", "/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21"} {
		if got := do(t, http.MethodPost, srv.URL+path, hello); !got.says(`"look"`) {
			t.Errorf("%s answers %d %s", path, got.status, got.body)
		}
	}
	want := `{"object":"list","data":[{"id":"loopproof","object":"model","created":1767225600,"owned_by":"openai"}]}`
	if got := do(t, http.MethodGet, srv.URL+"/v1/models", ""); got.body != want {
		t.Errorf("the models are %s", got.body)
	}
	run, base := begin(t, srv, tale, engine.RunConfig{Profile: profile(t, "vllm")})
	if got := do(t, http.MethodGet, base+"/v1/models", ""); !strings.Contains(got.body, `"owned_by":"vllm"`) {
		t.Errorf("the models of the run are %s", got.body)
	}
	if got := do(t, http.MethodPost, base+"/openai/deployments/x/chat/completions", hello); !got.says("One two three four.") {
		t.Errorf("the run answers %d %s", got.status, got.body)
	}
	const nameless = `{"messages":[{"role":"user","content":"hi"}]}`
	if got := do(t, http.MethodPost, srv.URL+"/openai/deployments/gpt-4o/chat/completions", nameless); got.status != http.StatusOK {
		t.Errorf("a request whose model is the deployment is answered %d %s", got.status, got.body)
	}
	if exchanges, _ := run.Record(); len(exchanges) != 1 {
		t.Errorf("the run recorded %d exchanges", len(exchanges))
	}
}
