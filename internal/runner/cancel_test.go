package runner

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

func cancelCases() Config {
	return Config{Seed: 41, Claims: loops.Claims{Features: referenceClaims, Profiles: []string{"**"}}, Select: Select{Quick: true, Scenarios: []string{"cancel/**"}}}
}

// TestWholeTasksMayBeCancelled: a loop that knows of no single prompts, as its protocol was before
// there were any, is right to end all that it does.
func TestWholeTasksMayBeCancelled(t *testing.T) {
	for name, played := range map[string]func(*testing.T, Config) *report.Report{
		"a function that asks for no context of a prompt": func(t *testing.T, c Config) *report.Report {
			return inMemory(t, c, func(way http.RoundTripper) loops.Func {
				return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
					task.PromptContext = nil
					return referenceOver(way)(ctx, task)
				}
			})
		},
		"an adapter that knows no scopes": func(t *testing.T, c Config) *report.Report {
			c.Loop = testAdapter("good", "whole")
			return play(t, c)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := played(t, cancelCases())
			for _, rule := range r.With(trace.Failed) {
				t.Errorf("%s failed", rule.ID)
			}
			for _, rule := range r.With(trace.Untested) {
				if rule.Level == trace.Must {
					t.Errorf("%s is not tested, and the loop could never be conformant", rule.ID)
				}
			}
			if r.Result != report.Partial {
				t.Errorf("the result is %s", r.Result)
			}
		})
	}
}

// TestCancelledInWordsOnly: a loop that reports at once that it has cancelled, and continues behind
// the caller's back, is found out.
func TestCancelledInWordsOnly(t *testing.T) {
	t.Parallel()
	late := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			done := make(chan protocol.Outcome, 1)
			go func() {
				o, _ := referenceOver(way)(context.WithoutCancel(ctx), task)
				done <- o
			}()
			select {
			case o := <-done:
				return o, nil
			case <-ctx.Done():
				return protocol.Outcome{Status: protocol.Stopped, Reason: "cancelled"}, nil
			}
		}
	}
	c := cancelCases()
	c.Select.Cases = []string{"cancel/before-an-answer@chat/openai/json", "cancel/in-a-tool@chat/openai/json"}
	r := inMemory(t, c, late)
	var failed []string
	for _, rule := range r.With(trace.Failed) {
		failed = append(failed, rule.ID)
	}
	if got := strings.Join(failed, " "); got != "cancel/no-request-after cancel/no-tool-after" {
		t.Errorf("broken are %q", got)
	}
}

// TestLoopsThatDoNotLetGo: a loop that ignores a cancel is held up only for a moment.
func TestLoopsThatDoNotLetGo(t *testing.T) {
	t.Parallel()
	deaf := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			return referenceOver(way)(context.WithoutCancel(ctx), task)
		}
	}
	c := cancelCases()
	c.Select.Cases = []string{"cancel/before-an-answer@chat/openai/json"}
	c.Timeout = 30 * time.Second
	r := inMemory(t, c, deaf)
	if took := r.Cases[0].DurationMS; took > 8000 {
		t.Errorf("the case took %d ms", took)
	}
	if v := r.Cases[0].Verdicts["cancel/not-completed"]; v != trace.Failed {
		t.Errorf("an answer that came after the cancel is %s", v)
	}
}

// TestCancelThatIsMissedOnce plays to a loop that misses its first cancel, as one that gets the
// processor too late. The case is played again, alone, and nothing is broken.
func TestCancelThatIsMissedOnce(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"cancel/before-an-answer@chat/openai/json", "cancel/before-an-answer@chat/openai/sse",
		"cancel/in-a-tool@chat/openai/json", "cancel/in-a-wait@chat/openai/json",
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			var missed atomic.Bool
			c := cancelCases()
			c.Select.Cases = []string{id}
			r := inMemory(t, c, func(way http.RoundTripper) loops.Func {
				return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
					if task.ID != "preflight" && missed.CompareAndSwap(false, true) {
						ctx = context.WithoutCancel(ctx)
					}
					return referenceOver(way)(ctx, task)
				}
			})
			if failed := r.With(trace.Failed); len(failed) > 0 || !slices.Equal(r.Replayed, []string{id}) {
				t.Errorf("%v failed, and %v were played again; want none and this one", failed, r.Replayed)
			}
		})
	}
}

// TestCommandsAreNotCancelled: nothing says to a command that the user cancels.
func TestCommandsAreNotCancelled(t *testing.T) {
	_, err := Play(t.Context(), Config{Loop: loops.Command{Command: "true"}, Claims: loops.Claims{Features: []protocol.Feature{protocol.Cancel}}})
	if err == nil || !strings.Contains(err.Error(), "cannot have the feature cancel") {
		t.Errorf("the error is %v", err)
	}
}
