package mockprovider

import (
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/opaque"
	"github.com/loopproof/loopproof/report"
)

// Entry is a request in a [Journal], with its answer.
type Entry struct {
	Number   int              // in its journal, from 1
	Run      string           // id of the run; "" outside of runs
	At       time.Time        // when the request came
	Took     time.Duration    // from the request to the last byte of the answer; 0 until Done
	Done     bool             // the answer has ended, or the client has disconnected
	Method   string           // of HTTP
	Target   string           // path and query, without keys
	Header   http.Header      // of the request, without keys
	Model    string           // that the request asks for
	Scenario string           // id of the script that answers it, or "" if none does
	Problem  string           // why the request could not be read, or why no script answers it
	Fault    string           // what goes wrong because the behaviour asks for it: "status 503"
	Findings []report.Finding // the rules that the request breaks, each with its place
	Answer   Answer           // what the request was answered

	// Outcome is answered, disconnected (the client left before the end of the answer), or why there
	// is no answer of a script: unscripted (no script fits),
	// unkept (the request continues a response that is not kept), unreadable (it is not a request
	// for a model), unrouted (its path or run is unknown), or forwarded (to the fallback).
	Outcome string

	box
}

type box = opaque.Box[*journal.Entry]

// Answer is the answer to a request.
type Answer struct {
	Status   int         // of HTTP; 0: there is no answer yet, or none at all
	Header   http.Header // of the answer
	Streamed bool        // as a stream of events
	Writes   [][]byte    // the body in the pieces in which it was written, before any compression
	Text     string      // what the model says
	Calls    []Call      // the tools that the model calls
	Ending   string      // severed, reset or disconnected (by the client): how the answer broke off
}

// Call is a call of a tool, in the answer to a request.
type Call struct {
	ID        string // as it is on the wire, or "" if calls have no ids
	Name      string // of the tool
	Arguments string // as the model wrote them: JSON, or the text for a tool that takes a free text
}

// Result is the result of a call, in a request.
type Result struct {
	CallID string // of the call that it answers
	Tool   string // name of the tool, or "" if the history has no such call
	Text   string // of the result
}

func newEntry(e journal.Entry) Entry {
	out := Entry{
		Number: e.Number, Run: e.Run, At: e.At, Done: e.Done, Method: e.Method, Target: e.Target, Header: e.Header,
		Scenario: e.Scenario, Outcome: e.Outcome(), Problem: e.Exchange.Problem, Fault: e.Fault,
		Answer: newAnswer(e.Answer), box: opaque.Of(&e),
	}
	if e.Done {
		out.Took = e.Took()
	}
	out.Model = e.Summary().Model
	for _, f := range e.Findings {
		out.Findings = append(out.Findings, f.Report())
	}
	return out
}

func newAnswer(a journal.Answer) Answer {
	out := Answer{Status: a.Status, Header: a.Header, Streamed: a.Streamed, Writes: a.Writes.Split(), Ending: string(a.Ending)}
	if a.Said != nil {
		out.Text = a.Said.Text
		for _, c := range a.Said.Calls {
			out.Calls = append(out.Calls, Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
		}
	}
	return out
}

// Path returns the path of the request, without the query.
func (e Entry) Path() string { return opaque.Open(e).Path() }

// Body returns the body of the request as it was sent, or nil if it was dropped to save memory.
func (e Entry) Body() []byte { return opaque.Open(e).Body() }

// Tools returns the names of the tools that the request offers to the model.
func (e Entry) Tools() []string {
	var names []string
	if req := opaque.Open(e).Exchange.Request; req != nil {
		for _, t := range req.Tools {
			names = append(names, t.Name)
		}
	}
	return names
}

// NewUserTexts returns the texts of the user that are new: after the last message of the model.
// Earlier ones are only repeated, since each request contains the whole history.
func (e Entry) NewUserTexts() []string { return opaque.Open(e).NewUserTexts() }

// NewResults returns the tool results that are new, in the same sense.
func (e Entry) NewResults() []Result {
	var results []Result
	for _, r := range opaque.Open(e).NewResults() {
		results = append(results, Result(r))
	}
	return results
}

// Refused says in a sentence what the real provider answers to a request that it refuses, also
// where the provider is lenient and answered it. It returns "" for a request that is not refused.
func (e Entry) Refused() string { return opaque.Open(e).Refused() }

// String returns the request and its answer for people to read, in several lines: what is new, what
// was answered, and what is wrong.
func (e Entry) String() string { return journal.Text([]journal.Entry{*opaque.Open(e)}) }
