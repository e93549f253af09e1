package journal

import (
	"time"

	"github.com/loopproof/loopproof/internal/trace"
)

// Summary is what is told of an entry outside of the process: the API, the journal file and the log tell it under the
// same names. Who tells more embeds it, and adds headers, messages or bytes.
type Summary struct {
	Run        string          `json:"run"`
	Number     int             `json:"number"`
	At         time.Time       `json:"at"`
	Method     string          `json:"method"`
	Target     string          `json:"target"`
	Outcome    string          `json:"outcome"`
	Unrouted   bool            `json:"unrouted"`
	Forwarded  bool            `json:"forwarded"`
	Scenario   string          `json:"scenario"`
	Turn       *int            `json:"turn"` // of the script, from 0; nil: none
	Overrun    bool            `json:"overrun"`
	Fault      string          `json:"fault,omitempty"`
	Dialect    string          `json:"dialect"`
	Profile    string          `json:"profile"`
	Model      string          `json:"model"`
	Stream     bool            `json:"stream"`
	Problem    string          `json:"problem"`
	Done       bool            `json:"done"`
	Forgotten  bool            `json:"forgotten"`
	DurationMS float64         `json:"duration_ms"` // 0 until the answer has ended
	Refusal    *trace.Refusal  `json:"refusal"`
	Findings   []trace.Finding `json:"findings"`
}

// Outcome says in a word what became of the request: answered, unscripted (it belongs to no script), unreadable (it is no
// request for a turn of the model), unrouted (its path, method or run is not known) or forwarded (to the fallback).
func (e Entry) Outcome() string {
	switch {
	case e.Forwarded:
		return "forwarded"
	case e.Unrouted:
		return "unrouted"
	case e.Exchange.Request == nil && !e.Forgotten:
		return "unreadable"
	case e.Exchange.Problem != "":
		return "unscripted"
	default:
		return "answered"
	}
}

// Summary returns what is told of the entry.
func (e Entry) Summary() Summary {
	x := e.Exchange
	s := Summary{
		Run: e.Run, Number: e.Number, At: e.At, Method: e.Method, Target: e.Target, Outcome: e.Outcome(), Unrouted: e.Unrouted, Forwarded: e.Forwarded,
		Scenario: e.Scenario, Overrun: x.Overrun, Fault: e.Fault, Problem: x.Problem, Done: e.Done, Forgotten: e.Forgotten,
		Refusal: x.Refusal, Findings: e.Findings,
	}
	if e.Done {
		s.DurationMS = float64(e.Took().Microseconds()) / 1000
	}
	if e.Findings == nil {
		s.Findings = []trace.Finding{}
	}
	if e.Profile != nil {
		s.Profile, s.Dialect = e.Profile.Name, e.Profile.Dialect
	}
	if x.Turn != nil {
		s.Turn = &x.Turn.Number
	}
	if x.Request != nil {
		s.Model, s.Stream = x.Request.Model, x.Request.Stream
	}
	return s
}
