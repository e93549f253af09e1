package runner

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// TestStopReason: the reason for stopping early is that the loop hung, or that it crashed.
func TestStopReason(t *testing.T) {
	for _, c := range []struct {
		name string
		job  *job
		want string
	}{
		{"there is hope", &job{hung: []string{"a", "b"}}, ""},
		{"it hung", &job{hung: []string{"a", "b", "c"}}, "the loop hung in 3 cases in a row: a, b, c"},
		{"a signal came", &job{interrupted: true, givenUp: "a case could not be played: why"}, "the run was interrupted"},
		{"it crashed too often", &job{givenUp: "a case could not be played: why"}, "a case could not be played: why"},
	} {
		if got := c.job.stopReason(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A run without a folder for temporary files names that folder, and does not say that the loop ended.
func TestNoFolderForSessions(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	c := Config{Loop: loops.Func(reference), Claims: loops.Claims{Features: []protocol.Feature{protocol.DurableSessions}}, Select: Select{Scenarios: []string{"sessions/*"}, Dialects: []string{"chat"}}}
	r, err := Play(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Stopped, "no folder for the session of the loop could be made: ") || r.Result != report.NotConformant {
		t.Errorf("the run is %s, stopped since %q", r.Result, r.Stopped)
	}
}

// A run that is interrupted reports the cases that were judged until then, and never passes.
func TestAnInterruptedRunIsReported(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	c := Config{Loop: loops.Func(reference), Select: Select{Scenarios: []string{"pairing/*"}, Dialects: []string{"chat"}}}
	c.Hooks.OnCase = func(n, _ int, _ report.Case) {
		if n == 3 {
			interrupt()
		}
	}
	r, err := Play(ctx, c)
	if !errors.Is(err, context.Canceled) || r == nil {
		t.Fatalf("the report is %v, the error %v", r, err)
	}
	if len(r.Cases) != 3 || !strings.HasPrefix(r.Stopped, "the run was interrupted; the other ") || r.Result != report.NotConformant {
		t.Errorf("%d cases are reported as %s: %s", len(r.Cases), r.Result, r.Stopped)
	}
}
