package engine_test

import (
	"bufio"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Answers that a test adds come before those of the script, in their order, a request each, in
// every dialect and until the run is reset.
func TestAddedAnswers(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "rest", "model: [{text: Rest.}]\n")}})
	add := func(body string, status int, says string) {
		t.Helper()
		if got := do(t, http.MethodPost, srv.URL+"/loopproof/runs/default/answers", body); got.status != status || !strings.Contains(got.body, says) {
			t.Errorf("%s gives %d %s, want %d %s", body, got.status, got.body, status, says)
		}
	}
	says := func(want string) {
		t.Helper()
		if got := ask(t, srv.URL, hello); !strings.Contains(got.body, want) {
			t.Errorf("the answer is %d %s, want %s", got.status, got.body, want)
		}
	}
	says("Rest.")
	add(`{"answers":[{"text":"First."},{"when":{"user":"Other"},"text":"For others."},{"status":429},"text: Second.\nrequests: 2"]}`, 200, "ok")
	add(`{"answers":[{"calls":[{"tool":"look","arguments":{"n":1}}]}]}`, 200, "ok")
	for _, want := range []string{"First.", "rate_limit", "Second.", "Second.", `{\"n\":1}`, "Rest."} {
		says(want)
	}
	add(`{"answers":[{"text":"Forgotten."}]}`, 200, "ok")
	do(t, http.MethodPost, srv.URL+"/loopproof/runs/default/reset", "")
	says("Rest.")

	add(`{"answers":[]}`, 400, "there is no answer in the list")
	add(`{"answers":[{"text":"a"},{"txt":"a"}]}`, 400, `answer-8:1:2: unknown key \"txt\" (did you mean \"text\"?)`)
	add(`{"answers":["text: a\ntimes: 0"]}`, 400, `answer-9:2:8: times is a whole number from 1 to 1000, not 0`)
	add(`{"answer":[]}`, 400, "answers")
	says("Rest.")
}

// A run of a loop takes none, since its scenario says all.
func TestRunsOfLoopsTakeNoAnswers(t *testing.T) {
	srv := start(t, engine.Config{})
	r := srv.StartRun(engine.RunConfig{Scenario: script(t, "loop", "prompt: Go.\nmodel: [{text: a}]\n"), Profile: profile(t, "openai")})
	got := do(t, http.MethodPost, srv.URL+"/loopproof/runs/"+r.ID+"/answers", `{"answers":[{"text":"a"}]}`)
	if got.status != http.StatusBadRequest || !strings.Contains(got.body, "only a run for an application takes answers") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// An answer is held before it begins, or within its stream, until the test releases it, and the
// request is seen before.
func TestHeldUntilReleased(t *testing.T) {
	s := script(t, "held", `
model:
  - {when: {user: Go.}, text: Gone., hold: {until: paid}}
  - {when: {user: Stream.}, text: One two three., hold: {after: 2 events, until: read}}
`)
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}})
	release := func(name string) answer {
		return do(t, http.MethodPost, srv.URL+"/loopproof/runs/default/release", fmt.Sprintf(`{"hold":%q}`, name))
	}
	whole := make(chan answer, 1)
	go func() { whole <- ask(t, srv.URL, hello) }()
	if got := do(t, http.MethodGet, srv.URL+"/loopproof/wait?count=1", ""); got.status != http.StatusOK {
		t.Fatalf("a held request is not seen: %d %s", got.status, got.body)
	}
	if len(whole) > 0 {
		t.Error("it was not held")
	}
	if got := release("payed"); got.status != http.StatusConflict || !strings.Contains(got.body, `did you mean \"paid\"?`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := release("paid"); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := <-whole; !got.says("Gone.") {
		t.Errorf("it is not released: %+v", got)
	}
	if got := ask(t, srv.URL, hello); !got.says("Gone.") {
		t.Errorf("what comes later is held: %+v", got)
	}

	resp, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"Stream."}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	events := 0
	for events < 2 && lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data:") {
			events++
		}
	}
	release("read")
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data:") {
			events++
		}
	}
	if events < 4 || lines.Err() != nil {
		t.Errorf("%d events, %v", events, lines.Err())
	}
}

// An answer goes on after the time for which it is held, by the clock of the server.
func TestHeldForATime(t *testing.T) {
	clock := &clock{}
	srv := start(t, engine.Config{Clock: clock, Scenarios: []*scenarios.Scenario{script(t, "held", "model: [{text: One two three., hold: {after: 1 event, for: 7s}}]\n")}})
	if got := ask(t, srv.URL, strings.Replace(hello, "{", `{"stream":true,`, 1)); got.status != http.StatusOK || !strings.Contains(got.body, "[DONE]") {
		t.Errorf("%+v", got)
	}
	if !slices.Contains(clock.slept, 7*time.Second) {
		t.Errorf("it waited for %v", clock.slept)
	}
}

func TestBadHolds(t *testing.T) {
	for hold, wrong := range map[string]string{
		"hold: {}":                            "`for: 2s` or `until: paid`",
		"hold: {for: 2s, until: a}":           "`for: 2s` or `until: paid`",
		"hold: {for: 2h}":                     "the longest wait is 1h0m0s",
		"hold: {until: a, before: done}":      `before is finish, not "done"`,
		"hold: {until: a, after: each event}": "held once",
		"hold: {until: a, after: 1 event}, cut: {after: 2 events}": "only an answer that is sent whole",
	} {
		_, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\nmodel: [{text: a, "+hold+"}]\n"), scenarios.Vocabulary{})
		if err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s gives %v, want %s", hold, err, wrong)
		}
	}
	if _, err := scenarios.Parse("x.yaml", []byte("loopproof: 1\ntitle: t\nprompt: p\nmodel: [{text: a, hold: {until: a}}]\n"), scenarios.Vocabulary{}); err == nil || !strings.Contains(err.Error(), "only a script without a prompt holds an answer") {
		t.Error(err)
	}
}
