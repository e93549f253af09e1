package journal

import (
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Outcome says in a word what became of the request: answered, unscripted (it belongs to no
// script), unkept (it goes on from what the provider does not keep), unreadable (it is no request
// for a turn of the model), unrouted (its path, method or run is not known), forwarded (to the
// fallback) or disconnected (the client left before the answer had ended).
func (e Entry) Outcome() string {
	switch {
	case e.Forwarded:
		return "forwarded"
	case e.Unrouted:
		return "unrouted"
	case e.goesOnFromNothing():
		return "unkept"
	case e.unreadable():
		return "unreadable"
	case e.Exchange.Problem != "":
		return "unscripted"
	case e.Answer.Ending == Disconnected:
		return "disconnected"
	default:
		return answered
	}
}

const answered = "answered"

// Outcomes returns all words of [Entry.Outcome].
func Outcomes() []string {
	return []string{answered, "disconnected", "unscripted", "unkept", "unreadable", "unrouted", "forwarded"}
}

// unreadable reports whether the request could not be read.
func (e Entry) unreadable() bool {
	if e.API != "" {
		return e.Exchange.Problem != ""
	}
	return e.Exchange.Request == nil && !e.Forgotten
}

// goesOnFromNothing reports whether the request continues a conversation that the provider does not
// keep.
func (e Entry) goesOnFromNothing() bool {
	return e.Exchange.Request == nil && e.Exchange.Thread != nil && e.Exchange.Thread.Problem != ""
}

// Summary returns the summary of the entry for use outside of the process.
func (e Entry) Summary() trace.Summary {
	x := e.Exchange
	s := trace.Summary{
		Run: e.Run, Number: e.Number, At: e.At, Method: e.Method, Target: e.Target, API: e.API, Outcome: e.Outcome(), Unrouted: e.Unrouted, Forwarded: e.Forwarded,
		Scenario: e.Scenario, Overrun: x.Overrun, Fault: e.Fault, Problem: x.Problem, Done: e.Done, Forgotten: e.Forgotten,
		Refusal: x.Refusal, Findings: []report.Finding{},
	}
	for _, f := range e.Findings {
		s.Findings = append(s.Findings, f.Report())
	}
	if e.Done {
		s.DurationMS = float64(e.Took().Microseconds()) / 1000
	}
	if e.Profile != nil {
		s.Profile, s.Dialect = e.Profile.Name, e.Profile.Dialect
	}
	if x.Turn != nil {
		s.Turn = &x.Turn.Number
	}
	if e.API != "" {
		s.Model, _ = e.model()
	}
	if x.Request != nil {
		s.Model, s.Stream = x.Request.Model, x.Request.Stream
	}
	return s
}
