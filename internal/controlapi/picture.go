package controlapi

import (
	"cmp"
	"fmt"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/sequence"
	"github.com/loopproof/loopproof/internal/trace"
)

// mostDrawn is how many requests of a conversation are drawn, the last ones: a picture of more
// cannot be read. mostMarks is how many findings are drawn in it.
const (
	mostDrawn = 200
	mostMarks = 12
)

// picture draws a conversation. version changes when it does.
func picture(run Run, talk journal.Conversation) (d *sequence.Diagram, version string) {
	entries := talk.Entries
	drawn := sequence.Conversation{Title: titleOf(talk), Link: func(number int) string { return fmt.Sprintf("#request-%d", number) }}
	if left := len(entries) - mostDrawn; left > 0 {
		drawn.LeftOut, entries = left, entries[left:]
	}
	for _, e := range entries {
		drawn.Exchanges = append(drawn.Exchanges, drawnExchange(e))
		version += fmt.Sprint(e.Number, e.Done, len(e.Findings), " ")
		for _, f := range worstFirst(e.Findings) {
			if len(drawn.Marks) < mostMarks {
				drawn.Marks = append(drawn.Marks, markOf(e, f))
			}
		}
	}
	first, last := entries[0], entries[len(entries)-1]
	if run.Executions != nil {
		for _, x := range run.Executions() {
			if x.Start >= first.Exchange.Start { // of this conversation, or of one beside it in the same run
				drawn.Tools = append(drawn.Tools, sequence.Tool{Name: x.Tool, CallID: x.CallID, Arguments: x.Arguments, Result: x.Said(), Failed: x.Failed, At: x.Start, End: x.End})
				version += fmt.Sprint(x.End)
			}
		}
	}
	if run.Approvals != nil {
		for _, a := range run.Approvals() {
			if a.Asked >= first.Exchange.Start {
				drawn.Questions = append(drawn.Questions, sequence.Question{About: a.Tool + " " + a.Arguments, Decision: a.Says(), At: a.Asked, End: a.Decided})
				version += a.Says()
			}
		}
	}
	if !last.Done {
		version += "open"
	}
	return sequence.Of(drawn), version
}

func drawnExchange(e journal.Entry) sequence.Exchange {
	x := e.Exchange
	drawn := sequence.Exchange{
		Number: e.Number, At: x.Start, End: max(x.End, x.Start), Request: x.Request, Note: x.Problem,
		Status: e.Answer.Status, Said: e.Answer.Said, Broken: string(e.Answer.Ending), Remark: e.Fault,
	}
	if x.Request == nil && e.Forgotten {
		drawn.Note = "forgotten, to save memory"
	}
	if e.Answer.Streamed {
		drawn.Writes = e.Answer.Writes.Len()
	}
	if e.Answer.Said == nil && e.Answer.Size() > 0 {
		drawn.Body = cmp.Or(errorOf(e).message, page.Size(e.Answer.Size()))
	}
	if !e.Done && e.Answer.Said == nil {
		drawn.Remark = "not answered yet"
	}
	return drawn
}

func markOf(e journal.Entry, f trace.Finding) sequence.Mark {
	return sequence.Mark{
		Level: string(f.Level), Rule: f.Rule, Message: f.Message, Expected: f.Expected, Actual: f.Actual, Provider: answerTo(e, f),
		Request: e.Number, Pointer: f.Pointer,
	}
}
