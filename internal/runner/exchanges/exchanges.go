// Package exchanges puts the whole exchange of a case together: from the journal of its run, the
// tools that ran and the outcome.
//
//	t := exchanges.Of(run.Journal().Snapshot(), recorded, exchanges.Whole)
//	t.WriteText(os.Stdout)
package exchanges

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Limits say how much of a case is kept.
type Limits struct {
	Body     int // of each body, in bytes
	Requests int // at the beginning of the case; of as many at its end
	Tools    int // of the first runs of tools, and of the first questions to the user
}

// The limits of a file of its own, and of what is in a report.
var (
	Whole = Limits{Body: 1 << 20, Requests: 500, Tools: 2000}
	Short = Limits{Body: 12 << 10, Requests: 6, Tools: 40}
)

// Of returns the exchange of a run, given the entries of its journal.
func Of(entries []journal.Entry, run *trace.Run, l Limits) *report.Trace {
	t := &report.Trace{
		Requests: []report.TracedRequest{}, Tools: []report.TracedTool{},
		Ending: string(run.Ending.How), Note: secret.Redact(run.Ending.Note, journal.Redacted),
		Outcome: outcome(run.Outcome, l),
	}
	if c := run.Crash; c != nil {
		t.Restart = &report.TracedRestart{KilledMS: milliseconds(c.At), StartedMS: milliseconds(c.Restarted)}
	}
	entries = slices.SortedStableFunc(slices.Values(entries), func(a, b journal.Entry) int {
		return cmp.Compare(a.Exchange.Start, b.Exchange.Start)
	})
	for i, e := range entries {
		if i >= l.Requests && i < len(entries)-l.Requests {
			t.LeftOut++
			continue
		}
		t.Requests = append(t.Requests, request(e, l))
	}
	for i, e := range run.Executions {
		if i >= l.Tools {
			t.LeftOut++
			continue
		}
		t.Tools = append(t.Tools, tool(e, l))
	}
	for i, a := range run.Approvals {
		if i >= l.Tools {
			t.LeftOut++
			continue
		}
		t.Asked = append(t.Asked, question(a, l))
	}
	return t
}

func question(a *trace.Approval, l Limits) report.TracedQuestion {
	return report.TracedQuestion{
		Tool: a.Tool, CallID: a.CallID, Arguments: text(a.Arguments, l), Decision: a.Decision(), Reason: a.Reason, With: text(a.With, l),
		Request: a.Request, AtMS: milliseconds(a.Asked), EndMS: milliseconds(a.Decided),
	}
}

func request(e journal.Entry, l Limits) report.TracedRequest {
	told := e.Summary()
	return report.TracedRequest{
		Number: e.Exchange.Number, AtMS: milliseconds(e.Exchange.Start), Method: told.Method, Target: secret.Redact(told.Target, journal.Redacted),
		Headers: headers(e.Header), Body: body(e.Body(), l), Problem: told.Problem,
		Answer: answer(e, l),
	}
}

func answer(e journal.Entry, l Limits) report.TracedAnswer {
	a := report.TracedAnswer{
		Status: e.Answer.Status, Headers: headers(e.Answer.Header), Body: body(e.Answer.Body(), l),
		Ending: string(e.Answer.Ending), EndMS: milliseconds(e.Exchange.End), Said: said(e),
	}
	if e.Answer.Streamed {
		a.SetWriteSizes(e.Answer.Writes.Sizes())
	}
	return a
}

// said notes what does not show in the bytes of an answer.
func said(e journal.Entry) string {
	x := e.Exchange
	var notes []string
	note := func(is bool, text string) {
		if is {
			notes = append(notes, text)
		}
	}
	turn := x.Turn
	note(x.Overrun, "the script has ended")
	note(turn != nil && (turn.Fails() || turn.Lost()), "the script makes this request fail")
	note(turn != nil && turn.Breaks(), "the script cuts this answer off")
	note(turn != nil && turn.Step.Gzip, "sent as gzip if the loop accepts it; shown uncompressed")
	note(x.Refusal != nil && x.Refusal.Given, "refused like the real provider")
	note(x.Refusal != nil && !x.Refusal.Given, "the real provider refuses this request")
	note(x.Dropped, "the loop closed the connection")
	note(e.Forgotten, "the bodies were dropped to save memory")
	return strings.Join(notes, "; ")
}

// Answer returns what the request of a number was answered, or nil.
func Answer(entries []journal.Entry, number int, l Limits) *report.TracedAnswer {
	for _, e := range entries {
		if e.Exchange.Number == number {
			a := answer(e, l)
			return &a
		}
	}
	return nil
}

func tool(e *trace.Execution, l Limits) report.TracedTool {
	return report.TracedTool{
		Tool: e.Tool, CallID: e.CallID, Arguments: text(e.Arguments, l), Result: text(e.Said(), l), Failed: e.Failed,
		AtMS: milliseconds(e.Start), EndMS: milliseconds(e.End), Dropped: e.Dropped,
	}
}

// outcome returns the outcome without the record, which is long.
func outcome(o *protocol.Outcome, l Limits) *protocol.Outcome {
	if o == nil {
		return nil
	}
	short := *o
	short.Transcript, short.Events = nil, nil
	for _, field := range []*string{&short.Text, &short.Error, &short.Reason} {
		*field = secret.Redact(text(*field, l), journal.Redacted)
	}
	return &short
}

func headers(h http.Header) map[string]string {
	all := map[string]string{}
	for name, values := range h {
		all[name] = secret.Redact(strings.Join(values, ", "), journal.Redacted)
	}
	return all
}

// body returns as much of a body as is kept, as a text where it is one.
func body(data []byte, l Limits) report.TracedBody {
	b := report.TracedBody{Bytes: len(data), Cut: len(data) > l.Body}
	if !utf8.Valid(data) {
		b.Base64 = base64.StdEncoding.EncodeToString(data[:min(len(data), l.Body)])
		return b
	}
	b.Text = secret.Redact(text(string(data), l), journal.Redacted)
	return b
}

// text returns the beginning of a text, up to a number of bytes.
func text(s string, l Limits) string {
	if len(s) <= l.Body {
		return s
	}
	return strings.ToValidUTF8(s[:l.Body], "")
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}
