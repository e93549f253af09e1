package engine_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// cancelled returns a story of one step, in which the user cancels at a point.
func cancelled(point string) string {
	return `
needs: [cancel]
tools:
  look:
    parameters: {at: string}
    results: [{text: a cat}]
model:
  - calls: [{as: a, tool: look, arguments: '{"at":"this"}'}, {as: b, tool: look, arguments: '{"at":"that"}'}]
    cancel: {during: ` + point + `}
  - text: It is a cat.
`
}

// askUntil requests a stream until a context ends, and returns what was received.
func askUntil(ctx context.Context, base string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/chat/completions", strings.NewReader(strings.Replace(hello, "{", `{"stream":true,`, 1)))
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return string(data), err
}

// A cancelled response is held until the client disconnects; then the run has ended.
func TestCancelHoldsTheAnswer(t *testing.T) {
	for point, came := range map[string]int{"answer": 0, "stream, after: 2 events": 2} {
		t.Run(point, func(t *testing.T) {
			srv := start(t, engine.Config{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			run, base := begin(t, srv, cancelled(point), engine.RunConfig{OnCancel: func(scenarios.Cancel) { cancel() }})
			body, err := askUntil(ctx, base)
			if events := strings.Count(body, "data: "); err == nil || events != came {
				t.Errorf("%d events and the error %v came, want %d and a closed connection", events, err, came)
			}
			run.Settle(t.Context())
			x := firstExchange(run)
			if c := run.Cancel(); !x.Dropped || c == nil || c.Turn != x.Turn || c.Request != 1 || c.At > x.End {
				t.Errorf("the run remembers %+v of the exchange %+v", c, x)
			}
		})
	}
}

// A client that does not disconnect gets its answer.
func TestCancelHoldsForAWhile(t *testing.T) {
	c := &clock{}
	srv := start(t, engine.Config{Clock: c})
	told := 0
	run, base := begin(t, srv, cancelled("stream, after: 2 events"), engine.RunConfig{OnCancel: func(scenarios.Cancel) { told++ }})
	body, err := askUntil(t.Context(), base)
	if err != nil || !strings.HasSuffix(body, "data: [DONE]\n\n") {
		t.Errorf("the answer is %q with the error %v", body, err)
	}
	run.Settle(t.Context())
	if x := firstExchange(run); x.Dropped || told != 1 {
		t.Errorf("told %d times; the exchange is %+v", told, x)
	}
	if want := []time.Duration{100 * time.Millisecond, 2 * time.Second, 200 * time.Millisecond}; !cmp.Equal(c.slept, want) {
		t.Errorf("slept %v, want %v", c.slept, want)
	}
}

// The user cancels when both tools run, and both learn of it.
func TestCancelDuringTools(t *testing.T) {
	srv := start(t, engine.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run, base := begin(t, srv, cancelled("tool"), engine.RunConfig{OnCancel: func(scenarios.Cancel) { cancel() }})
	if body, err := askUntil(t.Context(), base); err != nil {
		t.Fatal(body, err)
	}
	ended := make(chan error)
	for _, arguments := range []string{`{"at":"this"}`, `{"at":"that"}`} {
		go func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/tools/look", strings.NewReader(arguments))
			if err == nil {
				_, err = http.DefaultClient.Do(req)
			}
			ended <- err
		}()
	}
	for range 2 {
		if err := <-ended; err == nil {
			t.Error("a tool came to its end")
		}
	}
	run.Settle(t.Context())
	_, executions := run.Record()
	if len(executions) != 2 || !executions[0].Dropped || !executions[1].Dropped || executions[1].Start > run.Cancel().At {
		t.Errorf("the tools ran as %+v, cancelled %+v", executions, run.Cancel())
	}
}

// gate is a clock that is set by hand.
type gate struct {
	engine.SystemClock
	passes chan struct{}
	slept  chan time.Duration
}

func (g gate) Sleep(_ context.Context, d time.Duration) bool {
	<-g.passes
	g.slept <- d
	return true
}

// The user cancels when the loop has had time to read that the provider failed, and only if it
// waits.
func TestCancelDuringAWait(t *testing.T) {
	const waiting = `
needs: [cancel]
model:
  - status: 429
    retry-after: 9s
    cancel: {during: wait}
  - text: It is a cat.
`
	for name, patient := range map[string]bool{"it waits": true, "it asks again at once": false} {
		t.Run(name, func(t *testing.T) {
			g := gate{passes: make(chan struct{}), slept: make(chan time.Duration)}
			srv := start(t, engine.Config{Clock: g})
			told := make(chan struct{}, 1)
			run, base := begin(t, srv, waiting, engine.RunConfig{OnCancel: func(scenarios.Cancel) { told <- struct{}{} }})
			if body, err := askUntil(t.Context(), base); err != nil || run.Cancel() != nil {
				t.Fatalf("the answer is %q with the error %v, and %+v was cancelled", body, err, run.Cancel())
			}
			if !patient {
				if body, err := askUntil(t.Context(), base); err != nil || !strings.Contains(body, "cat") {
					t.Fatalf("the second answer is %q with the error %v", body, err)
				}
			}
			close(g.passes)
			if d := <-g.slept; d < time.Second {
				t.Errorf("the loop has %v to read the answer", d)
			}
			if patient {
				<-told
			}
			if c := run.Cancel(); patient != (c != nil) {
				t.Errorf("%+v was cancelled", c)
			}
		})
	}
}

// A loop whose wait ends in the moment of the cancel asks again for the prompt that was cancelled.
// The answers to the next prompt are not for it.
func TestAttemptAfterACancelledPrompt(t *testing.T) {
	const waiting = `
needs: [cancel, multi-prompt]
prompts: [Go., Go on.]
model:
  - status: 429
    retry-after: 9s
    cancel: {during: wait, scope: prompt}
  - text: It is a cat.
`
	g := gate{passes: make(chan struct{}), slept: make(chan time.Duration, 1)}
	srv := start(t, engine.Config{Clock: g})
	told := make(chan struct{}, 1)
	_, base := begin(t, srv, waiting, engine.RunConfig{OnCancel: func(scenarios.Cancel) { told <- struct{}{} }})
	first := ask(t, base, hello)
	close(g.passes)
	<-told
	again := ask(t, base, hello)
	next := ask(t, base, messages(`{"role":"user","content":"Go."}`, `{"role":"user","content":"Go on."}`))
	if again.status != first.status || gist(next.body) != "It is a cat." {
		t.Errorf("the attempt after the cancel gets %d %s, and the next prompt %s", again.status, again.body, next.body)
	}
}

// Nothing is held if the loop cannot be cancelled.
func TestNobodyCancels(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, cancelled("answer"), engine.RunConfig{})
	if body, err := askUntil(t.Context(), base); err != nil || run.Cancel() != nil {
		t.Errorf("the answer is %q with the error %v", body, err)
	}
	run.Settle(t.Context())
}

func firstExchange(run *engine.Run) *trace.Exchange {
	exchanges, _ := run.Record()
	return exchanges[0]
}
