package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const sseSpec = "https://html.spec.whatwg.org/multipage/server-sent-events.html"

// coreRules are the rules about reading streamed answers.
var coreRules = []rules.Rule{
	{
		ID:       "stream/fragments-by-index",
		Level:    trace.Must,
		Text:     "The fragments of streamed tool calls are joined by their index, in any order.",
		Why:      "Otherwise the arguments of one call are added to another.",
		Needs:    []protocol.Feature{protocol.Streaming, protocol.ParallelCalls},
		Evidence: "what a loop did after a stream with mixed fragments",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/api-reference/chat-streaming", Says: "each delta of a tool call has an index"},
			{URL: "https://github.com/charmbracelet/fantasy/issues/347", Says: "the arguments of the first call thrown away"},
			{URL: "https://github.com/QwenLM/Qwen-Agent/issues/943", Says: "a fragment went to the last call, not to its index"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return readAsSent(r, func(t *scenarios.Turn) bool { return t.Answer.Interleaved })
		},
	},
	{
		ID:        "stream/text-beside-calls",
		Level:     trace.Must,
		Text:      "A streamed turn may hold text and tool calls; both are read.",
		Why:       "A loop that treats the first text as the answer never runs the tool.",
		Invariant: true,
		Needs:     rules.Streams,
		Evidence:  "what a loop did after a stream with text and calls",
		Sources: []rules.Source{
			{URL: "https://github.com/cloudwego/eino/issues/531", Says: "text before the call: the tool never ran"},
			{URL: "https://github.com/charmbracelet/fantasy/commit/6b4e9b2", Says: "the call was dropped"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return readAsSent(r, func(t *scenarios.Turn) bool { return t.Answer.Text != "" && !t.Answer.Interleaved })
		},
	},
	{
		ID:          "stream/any-cut",
		Level:       trace.Must,
		Text:        "The behaviour of a loop does not depend on how the bytes of a stream are split into writes.",
		Why:         "Networks and proxies split streams at any place: inside a character, inside a line end, or not at all.",
		Invariant:   true,
		Needs:       rules.Streams,
		AnyDelivery: true,
		Evidence:    "the same conversation as an ordinary stream and with its bytes cut otherwise",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "a stream is decoded as a whole; lines end in LF, CRLF or CR"},
			{URL: "https://github.com/openai/openai-node/pull/1316", Says: "characters cut apart were broken"},
			{URL: "https://github.com/musistudio/claude-code-router/pull/1672", Says: "characters cut apart were broken"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return sameAsPlain(r, wire.DeliverMerged, wire.DeliverBytes, wire.DeliverSplit)
		},
	},
	{
		ID:          "stream/comments-skipped",
		Level:       trace.Must,
		Text:        "Comments in an event stream are skipped.",
		Why:         "OpenRouter, DeepSeek and many proxies send them to keep the connection alive.",
		Invariant:   true,
		Needs:       rules.Streams,
		AnyDelivery: true,
		Evidence:    "the same conversation as an ordinary stream and with comments in it",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "a line that starts with a colon is ignored"},
			{URL: "https://openrouter.ai/docs/api-reference/streaming", Says: "comments such as : OPENROUTER PROCESSING"},
			{URL: "https://github.com/tmc/langchaingo/issues/1366", Says: "comments broke parsing"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return sameAsPlain(r, wire.DeliverComments) },
	},
}

// readAsSent demands that the turns of a kind, sent as an ordinary stream, were read as they were
// sent. What the loop also misreads when the answer is not streamed is for other rules.
func readAsSent(r *rules.Run, kind func(*scenarios.Turn) bool) (j rules.CheckResult) {
	if r.Case.Delivery.Like() != wire.DeliverSSE {
		return j
	}
	for _, x := range r.Served() {
		if !x.Turn.Asks() || !kind(x.Turn) || r.Interrupted(x.Turn) || r.AskedAfterCancel(x) || r.Next(x) == nil && endedOtherwise(r, x) {
			continue
		}
		f, wrong := misread(r, x)
		if wrong && r.Baseline != nil {
			if y := sameTurn(r.Baseline, x); y != nil {
				_, wrongToo := misread(r.Baseline, y)
				wrong = !wrongToo
			}
		}
		j.HasEvidence = j.HasEvidence || r.Next(x) != nil
		if wrong {
			j.Find(f)
		}
	}
	return j
}

// endedOtherwise reports whether a run may have ended with a turn for a reason that is not what it
// read: there was no more to do, or rules about calls, and about the finish reason of an ordinary
// answer beside them, look at it.
func endedOtherwise(r *rules.Run, x *trace.Exchange) bool {
	return r.Outcome == nil || r.HadToEnd() || endedByACall(r, x) || x.Turn.Answer.Finish != wire.FinishCalls
}

// endedByACall reports whether a run ended with an error at a turn with a call at which a loop may
// give up, which is for the rules about such calls to say.
func endedByACall(r *rules.Run, x *trace.Exchange) bool {
	return slices.ContainsFunc(r.Calls(), func(c rules.CallRun) bool {
		failed := c.Trouble != scenarios.NoTrouble || wire.BlankArguments(c.Call.Arguments) || len(c.Executions) > 0 && r.ToolFails(c.Call)
		return c.In == x && failed && r.FailedAt(c)
	})
}

// toldOtherwise reports whether a turn did not come back that has a call which cannot be run: the
// loop may have told the model so in words of its own, which is for the rules about such calls to
// say.
func toldOtherwise(r *rules.Run, e rules.ReturnedTurn) bool {
	return e.Message == nil && r.HasBadCall(e.Turn)
}

func sameTurn(r *rules.Run, x *trace.Exchange) *trace.Exchange {
	for _, y := range r.Served() {
		if y.Turn.Number == x.Turn.Number {
			return y
		}
	}
	return nil
}

// misread returns the first sign that a loop read other tool calls than were sent.
func misread(r *rules.Run, x *trace.Exchange) (trace.Finding, bool) {
	f := trace.Finding{Request: x.Number, Answer: x.Number, Expected: rules.DescribeCalls(x.Turn.Answer.Calls)}
	next := r.Next(x)
	if next == nil {
		f.Message, f.Actual = "the loop ended at a turn with tool calls", r.DescribeEnd()
		return f, true
	}
	f.Request = next.Number
	for _, e := range r.ReturnedCallTurns() {
		if e.Turn != x.Turn || toldOtherwise(r, e) {
			continue
		}
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.Call(n)
			if !ok && r.Script.Scenario.Trouble(given) != scenarios.NoTrouble {
				continue // the rules about execution look at bad calls
			}
			if !ok {
				f.Message, f.Actual = "not all calls of a turn came back", rules.DescribeReturn(e)
				if e.Message != nil {
					f.Pointer = e.Message.Node.Pointer()
				}
				return f, true
			}
			if back.Name != given.Name || !sameArguments(r, given, back) {
				f.Message, f.Actual, f.Pointer = fmt.Sprintf("the call %s was put together wrongly", given.As), rules.Show(back.Node), back.Node.Pointer()
				return f, true
			}
			if message, actual, bad := mishandled(r, e, n); bad {
				f.Message, f.Actual = message, actual
				return f, true
			}
		}
	}
	return f, false
}

// sameArguments reports whether a call came back with its arguments. What is no JSON object may
// come back otherwise: where arguments are an object it cannot be as it was, and some providers
// refuse it.
func sameArguments(r *rules.Run, given wire.AnswerCall, back wire.Call) bool {
	switch r.Script.Scenario.Trouble(given) {
	case scenarios.NotJSON:
		return true
	case scenarios.SchemaViolation:
		if _, is := wire.ParseObject(given.Arguments); !is {
			return true
		}
	}
	return wire.SameJSON(rules.ArgumentsOrNone(back.Arguments), rules.ArgumentsOrNone(given.Arguments))
}

// mishandled returns the first sign that a call which came back as it was sent was run with other
// arguments, or not run although it is when the answer is not streamed.
func mishandled(r *rules.Run, e rules.ReturnedTurn, n int) (message, actual string, bad bool) {
	c := r.CallRun(e, n)
	if c.Trouble != scenarios.NoTrouble || c.Refusable {
		return "", "", false
	}
	for _, run := range c.Executions {
		if !c.SameArguments(run) {
			return fmt.Sprintf("the call %s was run with other arguments", c.Call.As), run.Tool + " " + rules.Quote(run.Arguments), true
		}
	}
	if len(c.Executions) == 0 && !r.SteeredIn(c) && r.Baseline != nil && slices.ContainsFunc(r.Baseline.Calls(), func(p rules.CallRun) bool {
		return p.Turn.Number == e.Turn.Number && p.N == n && len(p.Executions) > 0
	}) {
		return fmt.Sprintf("the call %s was not run", c.Call.As), "no execution", true
	}
	return "", "", false
}

// sameAsPlain compares a run in an odd delivery with the one as an ordinary stream.
func sameAsPlain(r *rules.Run, odd ...wire.Delivery) (j rules.CheckResult) {
	if !slices.Contains(odd, r.Case.Delivery.Like()) || r.Baseline == nil || !r.AllWhole() || r.Baseline.Outcome == nil {
		return j
	}
	j.HasEvidence = r.Baseline.UsedTools()
	bothFailed := failed(r.Baseline) && failed(r)
	expected, actual := summary(r.Baseline, bothFailed), summary(r, bothFailed)
	for i := range expected {
		if i >= len(actual) || expected[i] != actual[i] {
			got := "nothing"
			if i < len(actual) {
				got = actual[i]
			}
			if failed(r) && !failed(r.Baseline) {
				got += "; " + r.DescribeEnd()
			}
			j.Find(trace.Finding{
				Message:  fmt.Sprintf("the delivery %s led to something else than an ordinary stream", r.Case.Delivery),
				Expected: expected[i],
				Actual:   got,
			})
			break
		}
	}
	return j
}

func failed(r *rules.Run) bool { return r.Outcome != nil && r.Outcome.Status == protocol.Failed }

// asCalled returns arguments as the model wrote them for the first call of the turn that has them.
// Which of several equal calls a tool was run for is not known where the loop names no ids, and
// they may be written in several ways.
func asCalled(c rules.CallRun, arguments string) string {
	for _, made := range c.Turn.Answer.Calls {
		if made.Name == c.Call.Name && wire.SameJSON(made.Arguments, arguments) {
			return made.Arguments
		}
	}
	return arguments
}

// summary says what came of a run, in lines that are the same whenever the loop did the same. Where
// the runs failed, the calls of the last turn are left out if there are several: while one ends the
// run, the others have begun or not. So are those of a turn in which the user says more.
func summary(r *rules.Run, failed bool) []string {
	var lines []string
	for _, c := range r.Calls() {
		if (failed && r.FailedAt(c) || r.SteeredIn(c)) && len(c.Turn.Answer.Calls) > 1 {
			continue
		}
		for _, e := range c.Executions {
			lines = append(lines, fmt.Sprintf("%s runs %s with %s", c.Call.As, e.Tool, rules.Quote(asCalled(c, e.Arguments))))
		}
	}
	if r.Outcome == nil {
		return append(lines, "the loop "+string(r.Ending.How))
	}
	lines = append(lines, fmt.Sprintf("the answer %s %s", rules.Quote(strings.TrimSpace(r.Outcome.Text)), r.Outcome.Status))
	return append(lines, rules.Plural(len(r.Exchanges), "request"))
}
