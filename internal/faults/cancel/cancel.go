// Package cancel holds faults: loops that go on when the user cancels, or leave a broken history
// behind.
package cancel

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return basic }

// onCancel changes how a cancelled run continues, given the last request of the loop.
func onCancel(change func(*protocol.Outcome, *hooks.Request)) func() hooks.Mutation {
	return func() hooks.Mutation {
		var last *hooks.Request
		return hooks.Mutation{
			Request: func(r *hooks.Request) { last = r },
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if o.Reason == "cancelled" {
					change(&o, last)
				}
				return o
			},
		}
	}
}

// wasGivenUp reports whether a result is that of a tool which was given up when the user cancelled.
func wasGivenUp(x *neutral.Result) bool {
	return x.Failed && strings.HasSuffix(x.Text, context.Canceled.Error())
}

var basic = []hooks.Fault{
	{
		Name:    "cancel/lingers",
		Does:    "A run that is cancelled ends only when the user has lost patience.",
		Reports: []string{"https://github.com/vercel/ai/pull/7661"},
		Breaks:  []string{"cancel/run-ends"},
		Make:    onCancel(func(*protocol.Outcome, *hooks.Request) { time.Sleep(5300 * time.Millisecond) }),
	},
	{
		Name:   "cancel/calls-it-completed",
		Does:   "A run that is cancelled is reported as completed, with what there is.",
		Breaks: []string{"cancel/not-completed"},
		Make:   onCancel(func(o *protocol.Outcome, _ *hooks.Request) { o.Status, o.Reason = protocol.Completed, "" }),
	},
	{
		Name:    "cancel/tries-again",
		Does:    "The request that broke off since the user cancelled is treated as one that failed, and is sent again.",
		Reports: []string{"https://github.com/RooCodeInc/Roo-Code/issues/8901"},
		Breaks:  []string{"cancel/no-request-after"},
		Make:    onCancel(func(_ *protocol.Outcome, last *hooks.Request) { last.AskAgain() }),
	},
	{
		Name:    "cancel/runs-the-rest",
		Does:    "Tools run one after the other; a cancel ends the one that runs, and the next begins.",
		Reports: []string{"https://github.com/openai/openai-agents-js/pull/1581"},
		Breaks:  []string{"cancel/no-tool-after"},
		Make:    hooks.OneByOne(false, false),
	},
	{
		Name:   "cancel/leaves-the-stream-open",
		Does:   "A loop that is cancelled stops listening, but lets the model go on.",
		Breaks: []string{"cancel/stream-closed"},
		Make:   func() hooks.Mutation { return hooks.Mutation{Send: leaveOpen} },
	},
	{
		Name:      "cancel/keeps-half-calls",
		Does:      "A call that was cancelled before it was whole is kept without its arguments, with an error as its result.",
		Reports:   []string{"https://github.com/badlogic/pi-mono/pull/838"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"cancel/half-calls-not-kept"},
		Make:      keepHalfCalls,
	},
	{
		Name:    "cancel/keeps-whole-calls-open",
		Does:    "A call that had come whole when its answer was cancelled is kept without a result.",
		Reports: []string{"https://github.com/twentyhq/twenty/pull/21276", "https://github.com/openai/openai-agents-js/pull/1241"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    keepWholeCalls,
	},
	{
		Name: "cancel/leaves-calls-open",
		Does: "The calls of tools that were given up when the user cancelled stay without a result.",
		Reports: []string{
			"https://github.com/charmbracelet/crush/issues/529", "https://github.com/charmbracelet/crush/issues/2492",
			"https://github.com/trpc-group/trpc-agent-go/issues/1406", "https://github.com/strands-agents/sdk-python/issues/1123",
		},
		Breaks: []string{"pairing/every-call-answered"},
		Make:   hooks.OnRequest(func(r *hooks.Request) { hooks.DropResults(r, wasGivenUp) }),
	},
	{
		Name:    "cancel/answers-twice",
		Does:    "A tool that was given up when the user cancelled gets two results: that it was cancelled, and that it failed.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/40235"},
		Breaks:  []string{"pairing/one-result-per-call"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Each(neutral.Tool, func(m *neutral.Message) {
				var parts []neutral.Part
				for _, p := range m.Parts {
					parts = append(parts, p)
					if x, is := p.(*neutral.Result); is && wasGivenUp(x) {
						parts = append(parts, &neutral.Result{CallID: x.CallID, Name: x.Name, Text: "Error: the tool failed", Failed: true})
					}
				}
				m.Parts = parts
			})
		}),
	},
}

// leaveOpen sends a request that continues after the loop has stopped waiting for its answer.
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

// keepHalfCalls puts the calls that an answer had not finished into the history of the next prompt,
// with results.
func keepHalfCalls() hooks.Mutation {
	return keepCancelled(func(c *neutral.Call) (kept *neutral.Call, result *neutral.Result) {
		if cameWhole(c) {
			return nil, nil
		}
		return &neutral.Call{ID: c.ID, Name: c.Name, Arguments: "{}"},
			&neutral.Result{CallID: c.ID, Name: c.Name, Text: "Error: cancelled", Failed: true}
	})
}

// keepWholeCalls puts the calls that had come whole into the history of the next prompt, without
// results.
func keepWholeCalls() hooks.Mutation {
	return keepCancelled(func(c *neutral.Call) (kept *neutral.Call, result *neutral.Result) {
		if !cameWhole(c) {
			return nil, nil
		}
		return c, nil
	})
}

// cameWhole reports whether the arguments of a call came to their end. Where nothing of them came,
// they are an empty object in some dialects.
func cameWhole(c *neutral.Call) bool {
	return c.Arguments != "{}" && json.Valid([]byte(c.Arguments))
}

// keepCancelled puts what is to be kept of the calls of an answer that was cancelled into the
// history of the next prompt.
func keepCancelled(keep func(*neutral.Call) (*neutral.Call, *neutral.Result)) hooks.Mutation {
	var calls []*neutral.Call
	asked, at := 0, 0 // messages of the last request, and of the one whose answer was cancelled
	return hooks.Mutation{
		Answer: func(a *hooks.Answer) {
			if a.Cancelled() {
				calls, at = a.Calls(), asked
			}
		},
		Request: func(r *hooks.Request) {
			asked = len(r.Messages)
			if asked <= at { // nothing was said since
				return
			}
			r.Messages = slices.Insert(r.Messages, at, keptCalls(calls, keep)...)
		},
	}
}

func keptCalls(calls []*neutral.Call, keep func(*neutral.Call) (*neutral.Call, *neutral.Result)) []neutral.Message {
	turn := neutral.Message{Role: neutral.Assistant}
	var results []*neutral.Result
	for _, c := range calls {
		kept, result := keep(c)
		if kept != nil {
			turn.Parts = append(turn.Parts, kept)
		}
		if result != nil {
			results = append(results, result)
		}
	}
	switch {
	case len(turn.Parts) == 0:
		return nil
	case len(results) == 0:
		return []neutral.Message{turn}
	}
	return []neutral.Message{turn, hooks.Answering(results...)}
}
