package runner

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// crowd counts the tasks that a loop has at a time.
type crowd struct{ running atomic.Int32 }

// gathers reports whether a task has another one alongside it within a moment.
func (c *crowd) gathers(ctx context.Context) bool {
	for range 20 {
		if c.running.Load() > 1 {
			return true
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return false
}

// TestBlamesNobodyForBeingSlowInACrowd plays to a loop that ends no task which it has alongside
// another, as on a busy machine.
func TestBlamesNobodyForBeingSlowInACrowd(t *testing.T) {
	t.Parallel()
	var c crowd
	slow := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			c.running.Add(1)
			defer c.running.Add(-1)
			if task.ID != "preflight" && c.gathers(ctx) {
				<-ctx.Done()
				return protocol.Outcome{}, ctx.Err()
			}
			return referenceOver(way)(ctx, task)
		}
	}
	r := inMemory(t, Config{
		Seed: 41, Workers: 4, Timeout: 2 * time.Second,
		Claims: loops.Claims{Features: commandClaims},
		Select: Select{Scenarios: []string{"pairing/single-call", "pairing/parallel-results"}, Profiles: []string{"openai"}},
	}, slow)
	if r.Result != report.Partial || len(r.Replayed) == 0 {
		t.Errorf("the result is %s after %v were played again: %v", r.Result, r.Replayed, r.With(trace.Failed))
	}
}

// TestHungLoopsAreToldThatAlone plays to a loop that hangs in one scenario, in the middle of it. It
// is played again alone, and nothing else is found.
func TestHungLoopsAreToldThatAlone(t *testing.T) {
	t.Parallel()
	hangs := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			if task.Prompts[0] == atFault {
				post(ctx, way, task, firstRequest(task))
				<-ctx.Done()
				return protocol.Outcome{}, ctx.Err()
			}
			return referenceOver(way)(ctx, task)
		}
	}
	c := sixCases(loops.Adapter{})
	c.Claims.Features, c.Workers, c.Timeout = commandClaims, 6, time.Second
	r := inMemory(t, c, hangs)
	want := "pairing/parallel-results@chat/openai/json pairing/parallel-results@chat/openai/sse"
	if got := strings.Join(casesThatBreak(r, "outcome/run-ends"), " "); got != want {
		t.Errorf("%q do not end, want %q", got, want)
	}
	again := 0
	for _, hung := range r.Cases {
		for _, f := range hung.Findings {
			if f.Rule != "outcome/run-ends" {
				t.Errorf("%s breaks %s: %s", hung.ID, f.Rule, f.Message)
			}
			if strings.Contains(f.Actual, "it had sent 1 request") && strings.Contains(f.Actual, "hung both times") {
				again++
			}
		}
	}
	if again == 0 || len(r.Replayed) == 0 {
		t.Errorf("no case was played again alone: %+v", r.Cases)
	}
}

// playOnce plays one case at a time to the reference loop, which does something else in the first
// task at the fault.
func playOnce(t *testing.T, instead func(context.Context, http.RoundTripper, protocol.Task) (protocol.Outcome, error)) *report.Report {
	t.Helper()
	var done atomic.Bool
	c := sixCases(loops.Adapter{})
	c.Claims.Features, c.Workers, c.Timeout = commandClaims, 1, time.Second
	return inMemory(t, c, func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			if task.Prompts[0] == atFault && done.CompareAndSwap(false, true) {
				return instead(ctx, way, task)
			}
			return referenceOver(way)(ctx, task)
		}
	})
}

// TestHangThatDoesNotComeAgain plays one case at a time, of which one runs out of time once: other
// programs may have had the processor.
func TestHangThatDoesNotComeAgain(t *testing.T) {
	t.Parallel()
	r := playOnce(t, func(ctx context.Context, _ http.RoundTripper, _ protocol.Task) (protocol.Outcome, error) {
		<-ctx.Done()
		return protocol.Outcome{}, ctx.Err()
	})
	if broken := casesThatBreak(r, "outcome/run-ends"); len(broken) > 0 || len(r.Replayed) != 1 {
		t.Errorf("%q do not end, and %v were played again; want none and 1", broken, r.Replayed)
	}
}

// TestLackOfTimeThatDoesNotComeAgain plays one case at a time, of which one ends by itself shortly
// before its time is over, once.
func TestLackOfTimeThatDoesNotComeAgain(t *testing.T) {
	t.Parallel()
	r := playOnce(t, func(ctx context.Context, way http.RoundTripper, task protocol.Task) (protocol.Outcome, error) {
		post(ctx, way, task, firstRequest(task))
		time.Sleep(950 * time.Millisecond)
		return protocol.Outcome{Status: protocol.Stopped, Reason: "deadline"}, nil
	})
	if failed := r.With(trace.Failed); len(failed) > 0 || len(r.Replayed) != 1 {
		t.Errorf("%v are broken, and %v were played again; want none and 1", failed, r.Replayed)
	}
}

// TestSilenceThatIsReachedTooLate plays scenarios in which the time runs out in a silence to a loop
// that comes to it too late, once in each, as on a busy machine.
func TestSilenceThatIsReachedTooLate(t *testing.T) {
	t.Parallel()
	var late sync.Map
	busy := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			if task.TimeoutMS != 2000 {
				return referenceOver(way)(ctx, task)
			}
			if _, again := late.LoadOrStore(task.Stream, true); again {
				return referenceOver(way)(ctx, task)
			}
			time.Sleep(1990 * time.Millisecond)
			post(ctx, way, task, firstRequest(task))
			return protocol.Outcome{Status: protocol.Failed, Error: "deadline exceeded"}, nil
		}
	}
	r := inMemory(t, Config{
		Seed: 41, Claims: loops.Claims{Features: commandClaims},
		Select: Select{Scenarios: []string{"limits/silent-tool", "failure/silent-stream"}, Profiles: []string{"openai"}},
	}, busy)
	for _, c := range r.Cases {
		for rule, verdict := range c.Verdicts {
			if verdict != trace.Passed {
				t.Errorf("%s: %s is %s", c.ID, rule, verdict)
			}
		}
	}
	if len(r.Cases) != 2 || len(r.Replayed) != 2 {
		t.Errorf("%v of %d cases were played again, want 2 of 2", r.Replayed, len(r.Cases))
	}
}

// TestAloneScenariosAreAlone plays one scenario that has to be alone among others.
func TestAloneScenariosAreAlone(t *testing.T) {
	t.Parallel()
	own := fstest.MapFS{}
	for _, name := range []string{"one", "two", "three"} {
		text := "loopproof: 1\ntitle: A scenario\nrules: [outcome/completed]\nprompt: Say " + name + ".\nmodel: [{text: Fine.}]\n"
		if name == "two" {
			text = strings.Replace(text, "prompt:", "alone: true\nprompt:", 1)
		}
		own["own/"+name+".yaml"] = &fstest.MapFile{Data: []byte(text)}
	}
	var c crowd
	var company []string
	loop := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			c.running.Add(1)
			defer c.running.Add(-1)
			if c.gathers(ctx) && task.Prompts[0] == "Say two." {
				company = append(company, task.ID)
			}
			return referenceOver(way)(ctx, task)
		}
	}
	r := inMemory(t, Config{
		Seed: 41, Workers: 6, OwnScenarios: own,
		Claims: loops.Claims{Features: commandClaims},
		Select: Select{Scenarios: []string{"own/*"}, Profiles: []string{"openai"}},
	}, loop)
	if len(company) > 0 || !slices.ContainsFunc(r.Cases, func(c report.Case) bool { return c.Scenario == "own/two" }) {
		t.Errorf("%d of %d cases were played alongside one that has to be alone", len(company), len(r.Cases))
	}
}

// TestALoopThatAlwaysHangsIsSoonGivenUp plays to a loop that ends no task. Three cases are played
// again alone; that the others, which hung beside them, would do the same is believed.
func TestALoopThatAlwaysHangsIsSoonGivenUp(t *testing.T) {
	t.Parallel()
	hangs := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			if task.ID != "preflight" {
				<-ctx.Done()
				return protocol.Outcome{}, ctx.Err()
			}
			return referenceOver(way)(ctx, task)
		}
	}
	r := inMemory(t, Config{
		Seed: 41, Workers: 12, Timeout: 200 * time.Millisecond,
		Claims: loops.Claims{Features: commandClaims}, Select: Select{Scenarios: []string{"pairing/*"}, Profiles: []string{"openai"}},
	}, hangs)
	if len(r.Replayed) != loops.MaxHangs || len(r.Cases) != loops.MaxHangs || !strings.HasPrefix(r.Stopped, "the loop hung in 3 cases in a row") {
		t.Errorf("%v were played again, %d cases are judged, stopped since %q", r.Replayed, len(r.Cases), r.Stopped)
	}
	if got := len(casesThatBreak(r, "outcome/run-ends")); got != loops.MaxHangs {
		t.Errorf("%d cases break outcome/run-ends", got)
	}
}
