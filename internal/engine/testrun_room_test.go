package engine_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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

// The run that makes room for another one is the one that was idle for longest, also when the clock of the machine is set back.
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
