package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// hasRun reports whether there is a run, without asking it.
func hasRun(p *engine.Provider, id string) bool {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/loopproof/runs/"+id, nil))
	return w.Code == 200
}

// beginTestRun begins a run for an application.
func beginTestRun(t *testing.T, p *engine.Provider, c engine.TestRunConfig) {
	t.Helper()
	if _, err := p.StartTestRun(c); err != nil {
		t.Fatal(err)
	}
}

// The run that makes room for another one is the one that was idle for longest, also when the clock
// of the machine is set back.
func TestTheIdlestRunMakesRoomAlthoughTheClockIsSetBack(t *testing.T) {
	clock := &movingClock{}
	p := engine.New(engine.Config{Clock: clock, Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")}})
	for i := range 10_000 {
		beginTestRun(t, p, engine.TestRunConfig{ID: fmt.Sprintf("run-%d", i)})
	}
	r := httptest.NewRequest("POST", "/run/run-0/v1/chat/completions", strings.NewReader(hello))
	p.ServeHTTP(httptest.NewRecorder(), r)
	clock.add(-time.Hour)
	beginTestRun(t, p, engine.TestRunConfig{ID: "late-1"})
	beginTestRun(t, p, engine.TestRunConfig{ID: "late-2"})
	for id, want := range map[string]bool{"late-1": true, "late-2": true, "run-0": true, "run-1": false, "run-2": false, "run-3": true} {
		if got := hasRun(p, id); got != want {
			t.Errorf("%s is there: %v, want %v", id, got, want)
		}
	}
}

// Scripts that come over HTTP take so much memory at most: the run that was idle for longest ends,
// and a run that would take all is refused.
func TestScriptsOfRunsTakeSoMuchMemoryAtMost(t *testing.T) {
	p := engine.New(engine.Config{Limits: engine.Limits{ScriptBytes: 4 << 20}, Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")}})
	post := func(wanted map[string]any) *httptest.ResponseRecorder {
		body, err := json.Marshal(wanted)
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest("POST", "http://localhost/loopproof/runs", bytes.NewReader(body)))
		return w
	}
	beginScripted := func(id, scriptText string) *httptest.ResponseRecorder {
		return post(map[string]any{"id": id, "scripts": []string{scriptText}})
	}
	long := "loopproof: 1\nmodel: [{text: " + strings.Repeat("x", 900_000) + "}]\n" // takes about 1.8 MB
	beginTestRun(t, p, engine.TestRunConfig{ID: "without"})
	for _, id := range []string{"one", "two", "three"} {
		if w := beginScripted(id, long); w.Code != 201 {
			t.Fatalf("%s is answered by %d %.300s", id, w.Code, w.Body)
		}
		if id == "two" {
			p.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/run/one/v1/chat/completions", strings.NewReader(hello)))
		}
	}
	for id, want := range map[string]bool{"without": true, "one": true, "two": false, "three": true} {
		if got := hasRun(p, id); got != want {
			t.Errorf("%s is there: %v, want %v", id, got, want)
		}
	}
	steps := "loopproof: 1\nmodel:\n" + strings.Repeat("  - {when: {user: a}, text: b}\n", 8000)
	if w := beginScripted("steps", steps); w.Code != 400 || !strings.Contains(w.Body.String(), "take about 12 MB of memory, and those of all runs together may take 4 MB") {
		t.Errorf("8000 steps are answered by %d %.300s", w.Code, w.Body)
	}
	var ids []string
	for range 3 {
		w := post(map[string]any{"yaml": strings.Replace(long, "model:", "title: Long\nprompt: Hello.\nmodel:", 1)})
		id := gjson.GetBytes(w.Body.Bytes(), "id").String()
		if w.Code != 201 || id == "" {
			t.Fatalf("a run for a loop is answered by %d %.300s", w.Code, w.Body)
		}
		ids = append(ids, id)
	}
	for i, want := range []bool{false, true, true} {
		if got := hasRun(p, ids[i]); got != want {
			t.Errorf("run %d for a loop is there: %v, want %v", i+1, got, want)
		}
	}
}
