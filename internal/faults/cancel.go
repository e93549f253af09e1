package faults

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// onCancel changes what becomes of a run that was cancelled.
func onCancel(change func(*protocol.Outcome, protocol.Task, *RawRequest)) func() Changes {
	return func() Changes {
		var last *RawRequest
		return Changes{
			RawRequest: func(r *RawRequest) { last = r },
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if o.Reason == "cancelled" {
					change(&o, task, last)
				}
				return o
			},
		}
	}
}

// onGivenUp rewrites the tool messages of the calls that were given up when the user cancelled.
func onGivenUp(rewrite func(message string) []string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		var messages []string
		for _, m := range r.Messages() {
			if gjson.Get(m, "role").String() == "tool" && strings.HasSuffix(content(m), context.Canceled.Error()) {
				messages = append(messages, rewrite(m)...)
			} else {
				messages = append(messages, m)
			}
		}
		r.SetMessages(messages)
	})
}

var cancel = []Fault{
	{
		Name:   "cancel/lingers",
		Does:   "A run that is cancelled ends only when the user has lost patience.",
		Models: []string{"https://github.com/vercel/ai/pull/7661"},
		Breaks: []string{"cancel/run-ends"},
		Make: onCancel(func(*protocol.Outcome, protocol.Task, *RawRequest) {
			time.Sleep(5300 * time.Millisecond)
		}),
	},
	{
		Name:   "cancel/calls-it-completed",
		Does:   "A run that is cancelled is reported as completed, with what there is.",
		Breaks: []string{"cancel/not-completed"},
		Make: onCancel(func(o *protocol.Outcome, _ protocol.Task, _ *RawRequest) {
			o.Status, o.Reason = protocol.Completed, ""
		}),
	},
	{
		Name:   "cancel/tries-again",
		Does:   "The request that broke off since the user cancelled is taken for one that failed, and is sent again.",
		Models: []string{"https://github.com/RooCodeInc/Roo-Code/issues/8901"},
		Breaks: []string{"cancel/no-request-after"},
		Make: onCancel(func(_ *protocol.Outcome, task protocol.Task, last *RawRequest) {
			askAgain(task, last)
		}),
	},
	{
		Name:    "cancel/runs-the-rest",
		Does:    "Tools run one after the other; a cancel ends the one that runs, and the next begins.",
		Models:  []string{"https://github.com/openai/openai-agents-js/pull/1581"},
		Dialect: inChat,
		Breaks:  []string{"cancel/no-tool-after"},
		Make:    oneByOne(false, false),
	},
	{
		Name:   "cancel/leaves-the-stream-open",
		Does:   "A loop that is cancelled stops listening, but lets the model go on.",
		Breaks: []string{"cancel/stream-closed"},
		Make:   func() Changes { return Changes{Send: leaveOpen} },
	},
	{
		Name:   "cancel/keeps-half-calls",
		Does:   "A call that was cancelled before it was whole is kept without its arguments, with an error as its result.",
		Models: []string{"https://github.com/badlogic/pi-mono/pull/838"},
		Breaks: []string{"cancel/half-calls-not-kept"},
		Make:   keepHalfCalls,
	},
	{
		Name: "cancel/leaves-calls-open",
		Does: "The calls of tools that were given up when the user cancelled stay without a result.",
		Models: []string{
			"https://github.com/charmbracelet/crush/issues/529", "https://github.com/charmbracelet/crush/issues/2492",
			"https://github.com/trpc-group/trpc-agent-go/issues/1406", "https://github.com/strands-agents/sdk-python/issues/1123",
		},
		Breaks: []string{"pairing/every-call-answered"},
		Make:   onGivenUp(func(string) []string { return nil }),
	},
	{
		Name:   "cancel/answers-twice",
		Does:   "A tool that was given up when the user cancelled gets two results: that it was cancelled, and that it failed.",
		Models: []string{"https://github.com/anomalyco/opencode/issues/40235"},
		Breaks: []string{"pairing/one-result-per-call"},
		Make:   onGivenUp(func(m string) []string { return []string{m, set(m, "content", "Error: the tool failed")} }),
	},
}

// leaveOpen sends a request that goes on when nobody waits for its answer any more.
func leaveOpen(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	type reply struct {
		resp *http.Response
		err  error
	}
	came := make(chan reply, 1)
	go func() {
		resp, err := send(req.Clone(context.WithoutCancel(req.Context())))
		came <- reply{resp, err}
	}()
	select {
	case r := <-came:
		if r.err == nil {
			r.resp.Body = deaf(req.Context(), r.resp.Body)
		}
		return r.resp, r.err
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
}

// deaf returns a body that ends with its context, while what it comes from is read to the end.
func deaf(ctx context.Context, body io.ReadCloser) io.ReadCloser {
	heard, said := io.Pipe()
	stop := context.AfterFunc(ctx, func() { said.CloseWithError(ctx.Err()) })
	go func() {
		defer stop()
		defer body.Close()
		_, err := io.Copy(said, body)
		io.Copy(io.Discard, body)
		said.CloseWithError(err)
	}()
	return heard
}

// keepHalfCalls puts the calls of an answer that was cancelled into the history of the next prompt.
func keepHalfCalls() Changes {
	var half []heard
	return Changes{
		RawAnswer: func(a *RawAnswer) {
			if a.cancelled() {
				half = a.Calls()
			}
		},
		RawRequest: func(r *RawRequest) {
			if len(half) == 0 {
				return
			}
			messages := r.Messages()
			for i, m := range messages {
				if content(m) != "And in Lima?" {
					continue
				}
				kept := []string{`{"role":"assistant","tool_calls":[]}`}
				for _, c := range half {
					kept[0] = set(kept[0], "tool_calls.-1", map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": "{}"}})
					kept = append(kept, set(`{"role":"tool","content":"Error: cancelled"}`, "tool_call_id", c.id))
				}
				r.SetMessages(append(append(append([]string{}, messages[:i+1]...), kept...), messages[i+1:]...))
				return
			}
		},
	}
}
