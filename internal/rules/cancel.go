package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var cancels = []protocol.Feature{protocol.Cancel}

const adapterDocs = "https://github.com/loopproof/loopproof/blob/main/docs/adapters.md"

// cancel are the rules about a loop that is told to stop.
var cancel = []Rule{
	{
		ID:        "cancel/run-ends",
		Level:     Must,
		Text:      "A run that is cancelled ends soon after.",
		Why:       "The user presses the key again, and then kills the process with all that it had.",
		Invariant: true,
		Needs:     cancels,
		Evidence:  "an outcome after a loop that used tools was cancelled",
		Sources: []Source{
			{adapterDocs, "cancel: abort the task and report its outcome"},
			{"https://github.com/vercel/ai/pull/7661", "an abort that was not noticed while waiting for a retry"},
		},
		Run: cancelledRunEnds,
	},
	{
		ID:        "cancel/not-completed",
		Level:     Must,
		Text:      "A run that was cancelled before the model's answer is not reported as completed.",
		Why:       "The caller takes half an answer, or none, for the answer.",
		Invariant: true,
		Needs:     cancels,
		Evidence:  "an outcome after a loop that used tools was cancelled",
		Sources: []Source{
			{adapterDocs, "stopped: it gave up by itself, or because it was cancelled"},
		},
		Run: cancelledNotCompleted,
	},
	{
		ID:        "cancel/no-request-after",
		Level:     Must,
		Text:      "What was cancelled asks the model nothing more.",
		Why:       "The user has stopped it, and it goes on at their cost.",
		Invariant: true,
		Needs:     cancels,
		Evidence:  "an outcome after a loop that used tools was cancelled",
		Sources: []Source{
			{adapterDocs, "cancel: abort the task"},
			{"https://github.com/RooCodeInc/Roo-Code/issues/8901", "retries went on after a cancel"},
		},
		Run: noRequestAfterCancel,
	},
	{
		ID:        "cancel/no-tool-after",
		Level:     Must,
		Text:      "What was cancelled starts no tool any more.",
		Why:       "The user stopped it because of what it was about to do.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Cancel, protocol.Executions},
		Evidence:  "an outcome after a loop was cancelled that had run tools before",
		Sources: []Source{
			{adapterDocs, "cancel: abort the task"},
			{"https://github.com/openai/openai-agents-js/pull/1581", "sibling tools that ran on"},
		},
		Run: noToolAfterCancel,
	},
	{
		ID:        "cancel/stream-closed",
		Level:     Should,
		Text:      "The connection of a stream that is cancelled is closed.",
		Why:       "The model goes on writing, and every word of it is paid for.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Cancel, protocol.Streaming},
		Evidence:  "a stream that was cancelled by a loop that used tools",
		Sources: []Source{
			{"https://openrouter.ai/docs/api-reference/streaming", "a stream is cancelled by aborting the connection; billing stops with it"},
		},
		Run: streamClosed,
	},
	{
		ID:        "cancel/half-calls-not-kept",
		Level:     Should,
		Text:      "A call that the model had not finished when it was cancelled is not in the history of the next prompt.",
		Why:       "Its arguments are half a text, which providers refuse, and nobody ran it.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Cancel, protocol.MultiPrompt},
		Evidence:  "the request for the prompt after one that was cancelled in the middle of a call",
		Sources: []Source{
			{"https://github.com/badlogic/pi-mono/pull/838", "aborted turns replayed, and the 400"},
			{"https://github.com/charmbracelet/crush/issues/529", "a cancel left the history so that no request was taken any more"},
		},
		Run: halfCallsNotKept,
	},
}

// soon is how long a loop may take to end when it is cancelled. A tool that it cannot abort ends within two seconds.
const soon = 5 * time.Second

// reaction is how much later than the cancel a request may begin that was on its way already: the word goes to another
// process, on a machine that may be busy.
const reaction = time.Second

// interrupted reports whether the user cancelled during a turn.
func (r *Run) interrupted(t *scenarios.Turn) bool { return r.Cancel != nil && r.Cancel.Turn == t }

// resumed returns the first request for a later prompt than the one that was cancelled, or nil.
func (r *Run) resumed() *Exchange {
	if r.Cancel == nil || r.Cancel.Turn.Step.Cancel.Scope != protocol.ScopePrompt {
		return nil
	}
	for _, x := range r.Taken() {
		if x.Number > r.Cancel.Request && r.saysAfter(x) {
			return x
		}
	}
	return nil
}

// saysAfter reports whether a request carries a prompt behind those that the cancelled request carried.
func (r *Run) saysAfter(x *Exchange) bool {
	carried := r.Exchanges[r.Cancel.Request-1]
	return slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool {
		return saysPrompt(x.Request, prompt) && !saysPrompt(carried.Request, prompt)
	})
}

func saysPrompt(req *wire.Request, prompt string) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return m.Role == wire.User && strings.Contains(m.Content.Text, prompt)
	})
}

// endedByCancel reports whether a cancel ended the run, as far as can be told: it had not ended before, and no later
// prompt was asked.
func (r *Run) endedByCancel() bool {
	return r.Cancel != nil && r.Cancel.At <= r.Ending.At && r.resumed() == nil
}

func cancelledRunEnds(r *Run) (j Judged) {
	if !r.endedByCancel() || r.Ending.How != trace.Reported { // run-ends of the area outcome looks at the others
		return j
	}
	j.Seen = r.UsedTools()
	if took := r.Ending.At - r.Cancel.At; took > soon {
		j.Find(Finding{
			Request:  r.Cancel.Request,
			Answer:   r.Cancel.Request,
			Message:  "the run went on for long after it was cancelled",
			Expected: fmt.Sprintf("an outcome within %v", soon),
			Actual:   fmt.Sprintf("%s after %v", r.ended(), took.Round(100*time.Millisecond)),
		})
	}
	return j
}

func cancelledNotCompleted(r *Run) (j Judged) {
	if !r.endedByCancel() || r.Outcome == nil {
		return j
	}
	j.Seen = r.UsedTools()
	if r.Outcome.Status == protocol.Completed {
		j.Find(Finding{
			Request:  r.Cancel.Request,
			Answer:   r.Cancel.Request,
			Message:  "a run that was cancelled was reported as completed",
			Expected: "status stopped or failed",
			Actual:   fmt.Sprintf("status completed with the text %s", quote(r.Outcome.Text)),
		})
	}
	return j
}

func noRequestAfterCancel(r *Run) (j Judged) {
	if r.Cancel == nil {
		return j
	}
	j.Seen = r.UsedTools() && r.Outcome != nil
	from := r.Cancel.At
	if r.Cancel.Turn.Cancelled(scenarios.DuringWait) {
		from += reaction // else the loop had nothing to ask for
	}
	resumed := r.resumed()
	for _, x := range r.Taken() {
		if x == resumed {
			break
		}
		if x.Number > r.Cancel.Request && x.Start > from {
			j.Find(Finding{
				Request:  x.Number,
				Answer:   r.Cancel.Request,
				Message:  fmt.Sprintf("a request %v after the cancel", (x.Start - r.Cancel.At).Round(time.Millisecond)),
				Expected: "no request",
				Actual:   "the last message is " + show(x.Request.Messages[len(x.Request.Messages)-1].Node),
			})
			break
		}
	}
	return j
}

func noToolAfterCancel(r *Run) (j Judged) {
	if r.Cancel == nil {
		return j
	}
	j.Seen = r.Outcome != nil && r.ranBefore(r.Exchanges[r.Cancel.Request-1])
	for _, c := range r.Calls() {
		if c.In.Number > r.Cancel.Request { // no-request-after looks at those, and later prompts may call
			continue
		}
		for _, e := range c.Executions {
			if e.Start > r.cancelNoticed(c) {
				j.Find(Finding{
					Request:  c.In.Number,
					Answer:   c.In.Number,
					Message:  fmt.Sprintf("the call %s was run after the cancel", c.Call.As),
					Expected: "no run",
					Actual:   fmt.Sprintf("%s run with %s", e.Tool, quote(e.Arguments)),
				})
				break
			}
		}
	}
	return j
}

// cancelNoticed returns from when on no tool of a turn may be started. A loop that runs its tools at the same time may be
// about to start the last ones when it is told; one that runs them in turn knows when the first has ended.
func (r *Run) cancelNoticed(c CallRun) time.Duration {
	noticed := r.Cancel.At
	for _, other := range r.Calls() {
		for _, e := range other.Executions {
			if other.In == c.In && e.Start <= r.Cancel.At {
				noticed = max(noticed, e.End)
			}
		}
	}
	return noticed
}

func streamClosed(r *Run) (j Judged) {
	if r.Cancel == nil || !r.Task.Stream || !r.Cancel.Turn.Cancelled(scenarios.DuringAnswer, scenarios.DuringStream) {
		return j
	}
	j.Seen = r.UsedTools()
	if x := r.Exchanges[r.Cancel.Request-1]; !x.Dropped {
		j.Find(Finding{
			Request:  x.Number,
			Answer:   x.Number,
			Message:  "the stream was not closed when it was cancelled",
			Expected: "a closed connection",
			Actual:   fmt.Sprintf("open until the answer had come to its end, %v later", (x.End - r.Cancel.At).Round(100*time.Millisecond)),
		})
	}
	return j
}

func halfCallsNotKept(r *Run) (j Judged) {
	next := r.resumed()
	if next == nil || !r.Cancel.Turn.Cancelled(scenarios.DuringStream) || len(r.Cancel.Turn.Answer.Calls) == 0 {
		return j
	}
	j.Seen = carriesResult(next.Request)
	for _, m := range next.Request.Messages {
		if sameID(r.Cancel.Turn.Answer, m) {
			j.Find(Finding{
				Request:  next.Number,
				Answer:   r.Cancel.Request,
				Pointer:  m.Node.Get("tool_calls").Pointer(),
				Message:  "a call that was cancelled before it was whole is in the history",
				Expected: "no call of that answer",
				Actual:   show(m.Node.Get("tool_calls")),
			})
		}
	}
	return j
}
