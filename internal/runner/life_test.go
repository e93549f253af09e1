package runner

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

func sessionCases(cases ...string) Config {
	return Config{Seed: 41, Claims: loops.Claims{Features: referenceClaims, Profiles: []string{"**"}}, Select: Select{Scenarios: []string{"sessions/**"}, Cases: cases}}
}

// wantNothingBroken demands that all cases were played to their end, and broke no rule.
func wantNothingBroken(t *testing.T, r *report.Report) {
	t.Helper()
	for _, rule := range r.With(trace.Failed) {
		t.Errorf("%s failed", rule.ID)
	}
	for _, c := range r.Cases {
		if v := c.Verdicts["sessions/can-be-resumed"]; v != trace.Passed {
			t.Errorf("%s: %q", c.ID, v)
		}
	}
}

// TestAdaptersAreKilled: an adapter is a process, is killed as one, and goes on in another.
func TestAdaptersAreKilled(t *testing.T) {
	t.Parallel()
	c := sessionCases("sessions/*@chat/openai/json", "sessions/killed-in-stream@chat/openai/sse")
	c.Loop = testAdapter("good", "")
	wantNothingBroken(t, play(t, c))
}

// TestFunctionsAreKilled: what a function in Go does when its context has ended does not count, be
// it that it stores something or asks for something.
func TestFunctionsAreKilled(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var dirs []string
	r := inMemory(t, sessionCases("sessions/killed-in-tool@chat/openai/json", "sessions/killed-in-answer@chat/openai/json"), func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			if task.Session == nil { // the preflight
				return referenceOver(way)(ctx, task)
			}
			mu.Lock()
			dirs = append(dirs, task.Session.Dir)
			mu.Unlock()
			o, err := referenceOver(way)(ctx, task)
			if ctx.Err() == nil {
				return o, err
			}
			if err := os.RemoveAll(filepath.Join(task.Session.Dir, task.Session.ID)); err != nil {
				t.Error(err)
			}
			late, err := http.NewRequest(http.MethodPost, task.Tools[0].URL, nil)
			if err != nil {
				return o, err
			}
			if resp, err := (&http.Client{Transport: way}).Do(late); err == nil {
				t.Errorf("a tool answered a killed loop: %s", resp.Status)
				resp.Body.Close()
			}
			return o, nil
		}
	})
	wantNothingBroken(t, r)
	if len(dirs) != 4 {
		t.Errorf("the loop was given the directories %q", dirs)
	}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s is left behind", dir)
		}
	}
}
