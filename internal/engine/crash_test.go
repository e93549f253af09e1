package engine_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
)

// killed returns a story in which the process of the loop is killed in the second turn.
func killed(crash string) string {
	return `
needs: [durable-sessions]
tools:
  look:
    parameters: {at: string}
    results: [{text: a cat}]
model:
  - calls: [{as: a, tool: look, arguments: '{"at":"this"}'}]
  - calls: [{as: b, tool: look, arguments: '{"at":"that"}'}]
    crash: {during: ` + crash + `}
  - text: It is a cat.
`
}

// firstTurn returns a request with the first turn of a story, and its result.
func firstTurn(run *engine.Run) string {
	id := run.Script().Turns[0].Answer.Calls[0].ID
	return strings.Replace(hello, `]`, `,{"role":"assistant","tool_calls":[{"id":"`+id+`","type":"function","function":{"name":"look","arguments":"{\"at\":\"this\"}"}}]},{"role":"tool","tool_call_id":"`+id+`","content":"a cat"}]`, 1)
}

// tells sends a request of a loop that may be killed, and returns an error if it is not answered.
func tells(ctx context.Context, t *testing.T, url, body string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer test")
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

// TestCrash: what a killed loop has asked for is not answered, nor what it asks for after that. When
// it is started again, it is told where it was, and what it had not got under other ids.
func TestCrash(t *testing.T) {
	for _, point := range []string{"answer", "tool"} {
		t.Run(point, func(t *testing.T) {
			srv := start(t, engine.Config{})
			ctx, kill := context.WithCancel(t.Context())
			run, base := begin(t, srv, killed(point), engine.RunConfig{OnCrash: kill})
			ask(t, base, hello)
			second := firstTurn(run)
			lost := run.Script().Turns[1].Answer.Calls[0].ID
			post := func(path, body string) error { return tells(ctx, t, base+path, body) }
			err := post("/v1/chat/completions", second)
			if point == "tool" {
				if err != nil {
					t.Fatal(err)
				}
				err = post("/tools/look", `{"at":"that"}`)
			}
			if err == nil {
				t.Fatal("what the killed loop had asked for was answered")
			}
			ctx = t.Context()
			for _, path := range []string{"/v1/chat/completions", "/tools/look"} {
				if post(path, second) == nil {
					t.Errorf("%s answered a killed loop", path)
				}
			}
			crash := run.Crash()
			if crash == nil || crash.Request != 2 || crash.Restarted != 0 || crash.Resumed != 0 {
				t.Fatalf("the crash is %+v", crash)
			}
			run.Restarted()
			got := ask(t, base, second)
			again := run.Script().Turns[1].Answer.Calls[0].ID
			if again == lost || !got.says(again) {
				t.Errorf("after the restart came %s, with the id %s as before", got.body, lost)
			}
			exchanges, _ := run.Record()
			if x := exchanges[1]; !x.Lost || exchanges[0].Lost || exchanges[2].Turn.Number != 1 {
				t.Errorf("the exchanges are %+v, %+v, %+v", exchanges[0], x, exchanges[2])
			}
			if crash := run.Crash(); crash.Restarted < crash.At || crash.Resumed != 3 {
				t.Errorf("the crash is %+v", crash)
			}
		})
	}
}

// TestCrashOfLoopsThatForget: a loop that begins again is told so from the first turn.
func TestCrashOfLoopsThatForget(t *testing.T) {
	srv := start(t, engine.Config{})
	ctx, kill := context.WithCancel(t.Context())
	run, base := begin(t, srv, killed("answer"), engine.RunConfig{OnCrash: kill})
	ask(t, base, hello)
	if tells(ctx, t, base+"/v1/chat/completions", firstTurn(run)) == nil {
		t.Fatal("what the killed loop had asked for was answered")
	}
	run.Restarted()
	ask(t, base, hello)
	exchanges, _ := run.Record()
	if !exchanges[0].Lost || !exchanges[1].Lost || exchanges[2].Turn.Number != 0 || exchanges[2].Repeats != 0 {
		t.Errorf("the exchanges are %+v", exchanges)
	}
}

// waitingClock calls a function in the first sleep of some time.
type waitingClock struct {
	clock
	in   time.Duration
	call func()
}

func (c *waitingClock) Sleep(ctx context.Context, d time.Duration) bool {
	if d == c.in {
		c.in = 0
		c.call()
	}
	return c.clock.Sleep(ctx, d)
}

// TestToolOfAKilledLoop: a tool that the killed process runs is not answered when the next process
// is there already.
func TestToolOfAKilledLoop(t *testing.T) {
	waits := &waitingClock{in: 2 * time.Second} // for the other calls of the turn
	srv := start(t, engine.Config{Clock: waits})
	run, base := begin(t, srv, `
needs: [durable-sessions, parallel-calls]
tools: {look: {parameters: {at: string}, results: [{text: a cat}]}}
model:
  - calls:
      - {as: a, tool: look, arguments: '{"at":"this"}'}
      - {as: b, tool: look, arguments: '{"at":"that"}'}
    crash: {during: tool}
  - text: It is a cat.
`, engine.RunConfig{OnCrash: func() {}})
	ask(t, base, hello)
	answered := func(at string) bool {
		_, _, ok := run.CallTool(t.Context(), engine.ToolCall{Tool: "look", Arguments: `{"at":"` + at + `"}`})
		return ok
	}
	waits.call = func() {
		if answered("that") {
			t.Error("the second tool is answered")
		}
		run.Restarted()
	}
	if answered("this") {
		t.Error("the first tool is answered")
	}
}
