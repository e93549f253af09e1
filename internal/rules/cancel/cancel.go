package cancel

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var cancels = []protocol.Feature{protocol.Cancel}

// coreRules are the rules about a cancelled loop.
var coreRules = []rules.Rule{
	{
		ID:        "cancel/run-ends",
		Level:     trace.Must,
		Text:      "A run that is cancelled ends soon after.",
		Why:       "Otherwise the user has to kill the process, and loses everything.",
		Invariant: true,
		Needs:     cancels,
		Evidence:  "an outcome after a loop that used tools was cancelled",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "cancel: abort the task and report its outcome"},
			{URL: "https://github.com/vercel/ai/pull/7661", Says: "an abort that was not noticed while waiting for a retry"},
		},
		Run: cancelledRunEnds,
	},
	{
		ID:        "cancel/not-completed",
		Level:     trace.Must,
		Text:      "A run that was cancelled before the model's answer is not reported as completed.",
		Why:       "The caller treats a partial or missing answer as the answer.",
		Invariant: true,
		Needs:     cancels,
		Evidence:  "an outcome after a loop that used tools was cancelled",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "stopped: it gave up by itself, or because it was cancelled"},
		},
		Run: cancelledNotCompleted,
	},
	{
		ID:        "cancel/no-request-after",
		Level:     trace.Must,
		Text:      "A cancelled loop sends no further request to the model.",
		Why:       "The user has stopped it and pays for further requests.",
		Invariant: true,
		Needs:     cancels,
		Evidence:  "an outcome after a loop that used tools was cancelled",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "cancel: abort the task"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/issues/8901", Says: "retries went on after a cancel"},
		},
		Run: noRequestAfterCancel,
	},
	{
		ID:        "cancel/no-tool-after",
		Level:     trace.Must,
		Text:      "A cancelled loop starts no further tool.",
		Why:       "The user may have stopped it to prevent this tool.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Cancel, protocol.Executions},
		Evidence:  "an outcome after a loop was cancelled that had run tools before",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "cancel: abort the task"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1581", Says: "sibling tools that ran on"},
		},
		Run: noToolAfterCancel,
	},
	{
		ID:        "cancel/stream-closed",
		Level:     trace.Should,
		Text:      "The connection of a stream that is cancelled is closed.",
		Why:       "Otherwise the model continues to generate, and the user pays for it.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Cancel, protocol.Streaming},
		Evidence:  "a stream that was cancelled by a loop that used tools",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/api-reference/streaming", Says: "a stream is cancelled by aborting the connection; billing stops with it"},
		},
		Run: streamClosed,
	},
	{
		ID:        "cancel/half-calls-not-kept",
		Level:     trace.Should,
		Text:      "A call that the model had not finished when it was cancelled is not in the history of the next prompt.",
		Why:       "Its arguments are incomplete, which providers refuse, and it was never run.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Cancel, protocol.MultiPrompt},
		Evidence:  "the request for the prompt after one that was cancelled in the middle of a call",
		Sources: []rules.Source{
			{URL: "https://github.com/badlogic/pi-mono/pull/838", Says: "aborted turns replayed, and the 400"},
			{URL: "https://github.com/charmbracelet/crush/issues/529", Says: "a cancel left the history so that no request was taken any more"},
		},
		Run: halfCallsNotKept,
	},
}

// soon is how long a loop may take to end when it is cancelled. A tool that it cannot abort ends
// within two seconds.
const soon = 5 * time.Second

// reaction is how much later than the cancel a request may begin that was on its way already: the
// word goes to another process, on a machine that may be busy.
const reaction = time.Second

func cancelledRunEnds(r *rules.Run) (j rules.CheckResult) {
	if !r.EndedByCancel() || r.Ending.How != trace.Reported { // run-ends of the area outcome looks at the others
		return j
	}
	j.HasEvidence = r.UsedTools()
	if took := r.Ending.At - r.Cancel.At; took > soon {
		j.Find(trace.Finding{
			Request:  r.Cancel.Request,
			Answer:   r.Cancel.Request,
			Message:  "the run went on for long after it was cancelled",
			Expected: fmt.Sprintf("an outcome within %v", soon),
			Actual:   fmt.Sprintf("%s after %v", r.DescribeEnd(), took.Round(100*time.Millisecond)),
		})
	}
	return j
}

func cancelledNotCompleted(r *rules.Run) (j rules.CheckResult) {
	if !r.EndedByCancel() || r.Outcome == nil {
		return j
	}
	j.HasEvidence = r.UsedTools()
	if r.Outcome.Status == protocol.Completed {
		j.Find(trace.Finding{
			Request:  r.Cancel.Request,
			Answer:   r.Cancel.Request,
			Message:  "a run that was cancelled was reported as completed",
			Expected: "status stopped or failed",
			Actual:   fmt.Sprintf("status completed with the text %s", rules.Quote(r.Outcome.Text)),
		})
	}
	return j
}

func noRequestAfterCancel(r *rules.Run) (j rules.CheckResult) {
	if r.Cancel == nil {
		return j
	}
	j.HasEvidence = r.UsedTools() && r.Outcome != nil
	from := r.Cancel.At
	if r.Cancel.Turn.Cancelled(scenarios.DuringWait) {
		from += reaction // else the loop had nothing to ask for
	}
	for _, x := range r.Conversation() {
		if r.AskedAfterCancel(x) && x.Start > from {
			j.Find(trace.Finding{
				Request:  x.Number,
				Answer:   r.Cancel.Request,
				Message:  fmt.Sprintf("a request %v after the cancel", (x.Start - r.Cancel.At).Round(time.Millisecond)),
				Expected: "no request",
				Actual:   "the last message is " + rules.Show(x.Request.Messages[len(x.Request.Messages)-1].Node),
			})
			break
		}
	}
	return j
}

func noToolAfterCancel(r *rules.Run) (j rules.CheckResult) {
	if r.Cancel == nil {
		return j
	}
	j.HasEvidence = r.Outcome != nil && r.RanBefore(r.Exchange(r.Cancel.Request))
	for _, c := range r.Calls() {
		if c.In.Number > r.Cancel.Request { // no-request-after looks at those, and later prompts may call
			continue
		}
		for _, e := range c.Executions {
			if e.Start > cancelNoticed(r, c) {
				j.FindInAnswer(c.In,
					fmt.Sprintf("the call %s was run after the cancel", c.Call.As),
					"no run",
					fmt.Sprintf("%s run with %s", e.Tool, rules.Quote(e.Arguments)))
				break
			}
		}
	}
	return j
}

// cancelNoticed returns from when on no tool of a turn may be started. A loop that runs its tools
// at the same time may be about to start the last ones when it is cancelled; one that runs them in
// turn knows when the first has ended.
func cancelNoticed(r *rules.Run, c rules.CallRun) time.Duration {
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

func streamClosed(r *rules.Run) (j rules.CheckResult) {
	if r.Cancel == nil || !r.Task.Stream || !r.Cancel.Turn.Cancelled(scenarios.DuringAnswer, scenarios.DuringStream) {
		return j
	}
	j.HasEvidence = r.UsedTools()
	if x := r.Exchange(r.Cancel.Request); !x.Dropped {
		j.FindInAnswer(x,
			"the stream was not closed when it was cancelled",
			"a closed connection",
			fmt.Sprintf("open until the answer had come to its end, %v later", (x.End-r.Cancel.At).Round(100*time.Millisecond)))
	}
	return j
}

func halfCallsNotKept(r *rules.Run) (j rules.CheckResult) {
	next := r.Resumed()
	if next == nil || !r.Cancel.Turn.Cancelled(scenarios.DuringStream) || len(r.Cancel.Turn.Answer.Calls) == 0 {
		return j
	}
	j.HasEvidence = rules.CarriesResult(next.Request)
	for _, m := range next.Request.Messages {
		if rules.AnyCall(r.Cancel.Turn.Answer, &m, keptInPart) {
			j.Find(trace.Finding{
				Request:  next.Number,
				Answer:   r.Cancel.Request,
				Pointer:  m.Node.Get("tool_calls").Pointer(),
				Message:  "a call that was cancelled before it was whole is in the history",
				Expected: "no call of that answer",
				Actual:   rules.Show(m.Node.Get("tool_calls")),
			})
		}
	}
	return j
}

// keptInPart reports whether a message has a call of an answer with other arguments than the model
// gave it. One with all of them had come whole, and a loop may answer it.
func keptInPart(made wire.AnswerCall, kept wire.Call) bool {
	return made.ID != "" && made.ID == kept.ID && !rules.EqualCall(made, kept)
}
