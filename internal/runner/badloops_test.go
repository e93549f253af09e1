package runner

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// everything is what a bad loop claims, so that no rule is left out.
var everything = []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt, protocol.Cancel, protocol.Retries, protocol.TurnLimit, protocol.UsageCounts, protocol.Images, protocol.ResumeAfterFailure, protocol.Transcript, protocol.Events}

// post sends a body to the model of a task and drops the answer.
func post(ctx context.Context, way http.RoundTripper, task protocol.Task, body string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, task.BaseURL+"/chat/completions", strings.NewReader(body))
	if err != nil {
		return
	}
	resp, err := (&http.Client{Transport: way}).Do(req)
	if err != nil {
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

// firstRequest is a faultless first request of a task.
func firstRequest(task protocol.Task) string {
	messages := []string{}
	if task.System != "" {
		messages = append(messages, `{"role":"system","content":`+quoteJSON(task.System)+`}`)
	}
	messages = append(messages, `{"role":"user","content":`+quoteJSON(task.Prompts[0])+`}`)
	tools := []string{}
	for _, t := range task.Tools {
		tools = append(tools, `{"type":"function","function":{"name":`+quoteJSON(t.Name)+`,"parameters":`+string(t.Parameters)+`}}`)
	}
	body := `{"model":"loopproof","messages":[` + strings.Join(messages, ",") + `]`
	if len(tools) > 0 {
		body += `,"tools":[` + strings.Join(tools, ",") + `]`
	}
	return body + `}`
}

// TestBadLoopsPassNoMust: a loop that does nothing passes no rule, and the report says what is
// wrong. This is the most important test.
func TestBadLoopsPassNoMust(t *testing.T) {
	for name := range badLoops(nil) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
				badLoops(n)[name].judge(t, Config{Listen: n.Listen, Timeout: time.Second, Claims: loops.Claims{Features: everything}, Select: Select{Quick: true}})
			})
		})
	}
}

// badLoop is a loop that does nothing right.
type badLoop struct {
	breaks string // among other rules
	loop   loops.Func
}

// badLoops are such loops, which reach everything through a transport.
func badLoops(way http.RoundTripper) map[string]badLoop {
	return map[string]badLoop{
		"does nothing": {"outcome/no-made-up-answer", func(context.Context, protocol.Task) (protocol.Outcome, error) {
			return protocol.Outcome{Status: protocol.Completed}, nil
		}},
		"fails at once": {"outcome/asks-the-model", func(context.Context, protocol.Task) (protocol.Outcome, error) {
			return protocol.Outcome{}, errors.New("no")
		}},
		"stops at once": {"outcome/asks-the-model", func(context.Context, protocol.Task) (protocol.Outcome, error) {
			return protocol.Outcome{Status: protocol.Stopped, Reason: "nothing to do"}, nil
		}},
		"crashes": {"outcome/run-ends", func(context.Context, protocol.Task) (protocol.Outcome, error) {
			panic("at the disco")
		}},
		"hangs": {"outcome/run-ends", func(ctx context.Context, _ protocol.Task) (protocol.Outcome, error) {
			<-ctx.Done()
			return protocol.Outcome{}, ctx.Err()
		}},
		"answers without calling anything": {"outcome/no-made-up-answer", func(_ context.Context, task protocol.Task) (protocol.Outcome, error) {
			return protocol.Outcome{Status: protocol.Completed, Text: "It is 4 C in Oslo."}, nil
		}},
		"asks once and answers without running a tool": {"execution/every-call-run", func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			post(ctx, way, task, firstRequest(task))
			return protocol.Outcome{Status: protocol.Completed, Text: "It is 4 C in Oslo."}, nil
		}},
		"asks once and fails": {"execution/every-call-run", func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			post(ctx, way, task, firstRequest(task))
			return protocol.Outcome{Status: protocol.Failed, Error: "no"}, nil
		}},
		"sends no JSON": {"outcome/no-made-up-answer", func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			for range 5 {
				post(ctx, way, task, "garbage")
			}
			return protocol.Outcome{Status: protocol.Completed, Text: "done"}, nil
		}},
		"sends JSON that means nothing": {"outcome/no-made-up-answer", func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			for _, body := range []string{`{}`, `[]`, `null`, `{"model":"x","messages":[]}`, `{"model":"x","messages":[{"role":"user","content":"hi"}]}`, `{"model":"x","messages":[{"role":"tool","tool_call_id":"x","content":"y"}]}`} {
				post(ctx, way, task, body)
			}
			return protocol.Outcome{Status: protocol.Completed, Text: "done"}, nil
		}},
		"asks for something else and fails": {"outcome/asks-the-model", func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			post(ctx, way, task, `{"model":"loopproof","messages":[{"role":"user","content":"hi"}]}`)
			return protocol.Outcome{Status: protocol.Failed, Error: "no"}, nil
		}},
		"runs every tool unasked": {"execution/no-tool-run-uncalled", func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			for _, tool := range task.Tools {
				resp, err := (&http.Client{Transport: way}).Post(tool.URL, "application/json", strings.NewReader(`{"city":"Oslo"}`))
				if err == nil {
					resp.Body.Close()
				}
			}
			return protocol.Outcome{Status: protocol.Completed, Text: "done"}, nil
		}},
	}
}

// judge requires that the loop passes no rule, and that the report says what is wrong.
func (bad badLoop) judge(t *testing.T, c Config) {
	t.Helper()
	c.Loop = bad.loop
	r := judgeWithoutPreflight(t, c)
	told := false
	for _, rule := range r.Rules {
		if rule.Verdict == trace.Passed {
			t.Errorf("%s passed", rule.ID)
		}
		told = told || rule.ID == bad.breaks && rule.Verdict == trace.Failed
	}
	if !told {
		t.Errorf("it did not break %s", bad.breaks)
	}
	if r.Result != report.NotConformant {
		t.Errorf("the result is %s", r.Result)
	}
}

func judgeWithoutPreflight(t *testing.T, c Config) *report.Report {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	g, err := newJob(ctx, c)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	defer g.close(cancel)
	r, err := g.playAll(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
