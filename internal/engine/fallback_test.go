package engine_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// What a script answers is answered here, all else by the fallback, and both are in the journal.
func TestFallbackAnswersWhatNoScriptDoes(t *testing.T) {
	fallback := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"message":{"content":"from afar: %s %s %d %s"},"finish_reason":"stop"}]}`, r.Method, r.URL.Path, len(body), r.Header.Get(engine.RunHeader))
	})
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{scenario(t, "prompt: Go.\nwhen: {user: Go.}\nmodel: [{text: Gone.}]\n")}, Fallback: fallback})
	run := testRun(t, srv, engine.TestRunConfig{ID: "mine"})
	const other = `{"model":"m","messages":[{"role":"user","content":"Else?"}]}`
	broken := strings.Replace(other, "]}", `,{"role":"tool","tool_call_id":"x","content":"y"}]}`, 1)
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Go."}]}`, "Gone."},
		{"POST", "/v1/chat/completions", other, "from afar: POST /v1/chat/completions 60 "},
		{"POST", "/v1/chat/completions", broken, "from afar: POST /v1/chat/completions"},
		{"POST", "/run/mine/v1/chat/completions", other, "from afar: POST /v1/chat/completions 60 "},
		{"POST", "/v1/embeddings", "{}", "from afar: POST /v1/embeddings 2 "},
		{"POST", "/v1/messages", other, "from afar: POST /v1/messages 60 "},
		{"GET", "/loopproof/nothing", "", "Unknown request URL"},
		{"POST", "/run/none/v1/chat/completions", other, "there is no run"},
		{"POST", "/v1/chat/completions", "{", "could not parse"},
	} {
		if a := do(t, c.method, srv.URL+c.path, c.body); !strings.Contains(strings.ToLower(a.body), strings.ToLower(c.want)) {
			t.Errorf("%s %s gives %d %s, want %s", c.method, c.path, a.status, a.body, c.want)
		}
	}
	entries := srv.Journal().Entries()
	if e := entries[1]; !e.Forwarded || e.Answer.Said == nil || !strings.HasPrefix(e.Answer.Said.Text, "from afar") || e.Exchange.Problem != "" {
		t.Errorf("the journal says of the request that was passed on: %+v", e)
	}
	if got := look(t, srv, "/runs/default/requests/2", 200); !got.Get("forwarded").Bool() {
		t.Errorf("the API does not say that the request was passed on: %s", got.Raw)
	}
	if page := do(t, http.MethodGet, srv.URL+"/loopproof/show/default/2", ""); !strings.Contains(page.body, "the provider behind this one did") {
		t.Errorf("the page does not say that the request was passed on: %d %s", page.status, page.body)
	}
	if e := entries[2]; e.Exchange.Refusal == nil || e.Exchange.Refusal.Given || len(e.Findings) == 0 {
		t.Errorf("the journal does not say what is wrong with a request that was passed on: %+v", e)
	}
	if sum := run.Journal().Sum(); sum.Requests != 1 || sum.Unscripted != 0 {
		t.Errorf("the journal of the run has %+v", sum)
	}
}
