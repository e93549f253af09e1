package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var streams = []protocol.Feature{protocol.Streaming}

const sseSpec = "https://html.spec.whatwg.org/multipage/server-sent-events.html"

// stream are the rules about reading streamed answers.
var stream = []Rule{
	{
		ID:       "stream/fragments-by-index",
		Level:    Must,
		Text:     "The fragments of streamed tool calls are put together by their index, in whatever order they come.",
		Why:      "The arguments of one call end up in another.",
		Needs:    []protocol.Feature{protocol.Streaming, protocol.ParallelCalls},
		Evidence: "what a loop did after a stream with mixed fragments",
		Sources: []Source{
			{"https://platform.openai.com/docs/api-reference/chat-streaming", "each delta of a tool call has an index"},
			{"https://github.com/charmbracelet/fantasy/issues/347", "the arguments of the first call thrown away"},
			{"https://github.com/QwenLM/Qwen-Agent/issues/943", "a fragment went to the last call, not to its index"},
		},
		Run: func(r *Run) Judged {
			return readAsSent(r, func(t *scenarios.Turn) bool { return t.Answer.Interleaved })
		},
	},
	{
		ID:        "stream/text-beside-calls",
		Level:     Must,
		Text:      "A streamed turn may hold text and tool calls; both are read.",
		Why:       "A loop that takes the first text for the answer never runs the tool.",
		Invariant: true,
		Needs:     streams,
		Evidence:  "what a loop did after a stream with text and calls",
		Sources: []Source{
			{"https://github.com/cloudwego/eino/issues/531", "text before the call: the tool never ran"},
			{"https://github.com/charmbracelet/fantasy/commit/6b4e9b2", "the call was dropped"},
		},
		Run: func(r *Run) Judged {
			return readAsSent(r, func(t *scenarios.Turn) bool { return t.Answer.Text != "" && !t.Answer.Interleaved })
		},
	},
	{
		ID:          "stream/any-cut",
		Level:       Must,
		Text:        "What a loop does does not depend on how the bytes of a stream are cut into writes.",
		Why:         "Networks and proxies cut where they like: inside a character, inside a line end, or not at all.",
		Invariant:   true,
		Needs:       streams,
		AnyDelivery: true,
		Evidence:    "the same conversation as an ordinary stream and with its bytes cut otherwise",
		Sources: []Source{
			{sseSpec, "a stream is decoded as a whole; lines end in LF, CRLF or CR"},
			{"https://github.com/openai/openai-node/pull/1316", "characters cut apart were broken"},
			{"https://github.com/musistudio/claude-code-router/pull/1672", "characters cut apart were broken"},
		},
		Run: func(r *Run) Judged {
			return sameAsPlain(r, wire.DeliverMerged, wire.DeliverBytes, wire.DeliverSplit)
		},
	},
	{
		ID:          "stream/comments-skipped",
		Level:       Must,
		Text:        "Comments in an event stream are skipped.",
		Why:         "OpenRouter, DeepSeek and many proxies send them to keep the connection alive.",
		Invariant:   true,
		Needs:       streams,
		AnyDelivery: true,
		Evidence:    "the same conversation as an ordinary stream and with comments in it",
		Sources: []Source{
			{sseSpec, "a line that starts with a colon is ignored"},
			{"https://openrouter.ai/docs/api-reference/streaming", "comments such as : OPENROUTER PROCESSING"},
			{"https://github.com/tmc/langchaingo/issues/1366", "comments broke parsing"},
		},
		Run: func(r *Run) Judged { return sameAsPlain(r, wire.DeliverComments) },
	},
}

// readAsSent demands that the turns of a kind, sent as an ordinary stream, were read as they were sent. What the loop
// also misreads when the answer is not streamed is for other rules.
func readAsSent(r *Run, kind func(*scenarios.Turn) bool) (j Judged) {
	if r.Case.Delivery != wire.DeliverSSE {
		return j
	}
	for _, x := range r.Served() {
		if !x.Turn.Asks() || !kind(x.Turn) || r.Next(x) == nil && (r.Outcome == nil || r.hadToEnd()) {
			continue
		}
		f, wrong := r.misread(x)
		if wrong && r.Plain != nil {
			if y := r.Plain.sameTurn(x); y != nil {
				_, wrongToo := r.Plain.misread(y)
				wrong = !wrongToo
			}
		}
		j.Seen = j.Seen || r.Next(x) != nil
		if wrong {
			j.Find(f)
		}
	}
	return j
}

func (r *Run) sameTurn(x *Exchange) *Exchange {
	for _, y := range r.Served() {
		if y.Turn.Number == x.Turn.Number {
			return y
		}
	}
	return nil
}

// misread returns the first sign that a loop read other tool calls than were sent.
func (r *Run) misread(x *Exchange) (Finding, bool) {
	f := Finding{Request: x.Number, Answer: x.Number, Expected: describeCalls(x.Turn.Answer.Calls)}
	next := r.Next(x)
	if next == nil {
		f.Message, f.Actual = "the loop ended at a turn with tool calls", r.ended()
		return f, true
	}
	f.Request = next.Number
	for _, e := range r.AskingEchoes() {
		if e.Turn != x.Turn {
			continue
		}
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.Call(n)
			if !ok {
				f.Message, f.Actual = "not all calls of a turn came back", echoed(e)
				if e.Message != nil {
					f.Pointer = e.Message.Node.Pointer()
				}
				return f, true
			}
			if back.Name != given.Name || !wire.SameJSON(orNone(back.Arguments), orNone(given.Arguments)) {
				f.Message, f.Actual, f.Pointer = fmt.Sprintf("the call %s was put together wrongly", given.As), show(back.Node), back.Node.Pointer()
				return f, true
			}
			if message, actual, bad := r.mishandled(e, n); bad {
				f.Message, f.Actual = message, actual
				return f, true
			}
		}
	}
	return f, false
}

// mishandled returns the first sign that a call which came back as it was sent was run with other arguments, or not run
// although it is when the answer is not streamed.
func (r *Run) mishandled(e Echo, n int) (message, actual string, bad bool) {
	c := r.callRun(e, n)
	if c.Trouble != scenarios.NoTrouble || c.Refusable {
		return "", "", false
	}
	for _, run := range c.Executions {
		if !handedOn(c.Call.Arguments, run.Arguments) {
			return fmt.Sprintf("the call %s was run with other arguments", c.Call.As), run.Tool + " " + quote(run.Arguments), true
		}
	}
	if len(c.Executions) == 0 && r.Plain != nil && slices.ContainsFunc(r.Plain.Calls(), func(p CallRun) bool {
		return p.Turn.Number == e.Turn.Number && p.N == n && len(p.Executions) > 0
	}) {
		return fmt.Sprintf("the call %s was not run", c.Call.As), "no execution", true
	}
	return "", "", false
}

func describeCalls(calls []wire.AnswerCall) string {
	var words []string
	for _, c := range calls {
		words = append(words, c.Name+" "+quote(c.Arguments))
	}
	return list(words)
}

// sameAsPlain compares a run in an odd delivery with the one as an ordinary stream.
func sameAsPlain(r *Run, odd ...wire.Delivery) (j Judged) {
	if !slices.Contains(odd, r.Case.Delivery) || r.Plain == nil || !r.allWhole() || r.Plain.Outcome == nil {
		return j
	}
	j.Seen = r.Plain.UsedTools()
	expected, actual := r.Plain.summary(), r.summary()
	for i := range expected {
		if i >= len(actual) || expected[i] != actual[i] {
			got := "nothing"
			if i < len(actual) {
				got = actual[i]
			}
			j.Find(Finding{
				Message:  fmt.Sprintf("the delivery %s led to something else than an ordinary stream", r.Case.Delivery),
				Expected: expected[i],
				Actual:   got,
			})
			break
		}
	}
	return j
}

// allWhole reports whether every answer of the script is complete, so that two runs of it can be compared.
func (r *Run) allWhole() bool {
	return !slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool { return !t.Whole() })
}

// summary says what came of a run, in lines that are the same whenever the loop did the same.
func (r *Run) summary() []string {
	var lines []string
	for _, c := range r.Calls() {
		for _, e := range c.Executions {
			lines = append(lines, fmt.Sprintf("%s runs %s with %s", c.Call.As, e.Tool, quote(e.Arguments)))
		}
	}
	if r.Outcome == nil {
		return append(lines, "the loop "+string(r.Ending.How))
	}
	lines = append(lines, fmt.Sprintf("the answer %s %s", quote(strings.TrimSpace(r.Outcome.Text)), r.Outcome.Status))
	return append(lines, plural(len(r.Exchanges), "request"))
}
