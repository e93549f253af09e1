package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/exercises"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

// A correct loop plays all exercises in each wire API, and the page says so; what a loop does wrong
// after one stands beside it.
func TestTryJudgesALoop(t *testing.T) {
	script, err := exercises.Script(rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	tool := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "4 C") }))
	defer tool.Close()
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			played, err := profiles.Get(d.Standard)
			if err != nil {
				t.Fatal(err)
			}
			srv := engine.NewServer(engine.Config{Profile: played, Scenarios: []*scenarios.Scenario{script}})
			defer srv.Close()
			if got := page(t, srv.URL+"/"); !strings.Contains(got, "0 of 7 were played") {
				t.Errorf("before any request, the page is\n%s", got)
			}
			outcome := refloop.Loop{Backoff: time.Millisecond}.Run(t.Context(), protocol.Task{
				Dialect: d.Name, Profile: d.Standard, Model: "gpt-5", BaseURL: srv.URL + d.Endpoint.BasePath, APIKey: "any", Prompts: []string{"Hello."}, MaxTurns: 9, TimeoutMS: 10_000,
				Tools: []protocol.Tool{{Name: "get_weather", Description: "The weather.", Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`), URL: tool.URL}},
			})
			if outcome.Status != protocol.Completed {
				t.Errorf("the loop ended so: %+v", outcome)
			}
			if got := page(t, srv.URL+"/"); !strings.Contains(got, "7 of 7 were played; no rule is broken by what was sent.") {
				t.Errorf("the page is\n%s", got)
			}
		})
	}
}

func TestTryShowsWhatIsBroken(t *testing.T) {
	script, err := exercises.Script(rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	played, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{Profile: played, Scenarios: []*scenarios.Scenario{script}})
	defer srv.Close()
	const tools = `,"tools":[{"type":"function","function":{"name":"look"}}]}`
	for _, messages := range []string{
		`{"role":"user","content":"Go."}`,
		`{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_2","content":"4 C"}`,
	} {
		answer, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"gpt-5","messages":[`+messages+`]`+tools))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	got := page(t, srv.URL+"/loopproof/")
	for _, want := range []string{
		`One call</td><td data-label="played" class="number">1</td><td data-label="then"><span class="badge must">2 must</span>`,
		`Two calls at once</td><td data-label="played" class="number">0</td><td data-label="then"><span class="faint">not played yet`,
		"2 of 7 were played; findings: 2 must, 0 should, 0 unanswered.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q:\n%s", want, got)
		}
	}
}

// page returns what a browser is shown of the exercises.
func page(t *testing.T, url string) string {
	t.Helper()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Accept", "text/html,*/*")
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(fmt.Errorf("%s answers %s, %v: %s", url, answer.Status, err, body))
	}
	_, section, _ := strings.Cut(string(body), "<h2>Exercises</h2>")
	section, _, _ = strings.Cut(section, "</section>")
	return section
}
