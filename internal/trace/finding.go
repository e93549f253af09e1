package trace

import "slices"

// Finding is a rule broken at a place in a run.
type Finding struct {
	Rule     string `json:"rule"`               // id of the violated rule
	Level    Level  `json:"level"`              // level of the violation in that run
	Request  int    `json:"request,omitempty"`  // number of the request, from 1; 0: the finding is not about a single request
	Pointer  string `json:"pointer,omitempty"`  // JSON pointer into that request
	Message  string `json:"message"`            // what is wrong, in a sentence
	Expected string `json:"expected,omitempty"` // what the rule requires
	Actual   string `json:"actual,omitempty"`   // what happened instead

	// Because is the rule whose violation in the same run caused this one. It is empty for a violation of its own.
	Because string `json:"because,omitempty"`

	// Answer is the number of the request whose answer was handled wrongly; 0 where that is the one before Request.
	Answer int `json:"-"`

	// Calls are the ids, as they are on the wire, of the calls that the finding is about; none where that is not known.
	Calls []string `json:"-"`

	// Lost says that something of an answer was lost, mixed up or made up.
	Lost bool `json:"-"`

	// Vars fill the words in which a provider refuses the request.
	Vars map[string]string `json:"-"`
}

// Level says how much a violation of a rule matters.
type Level string

// The levels. A broken must makes a loop not conformant; a should does only on request; info never does.
const (
	Must   Level = "must"
	Should Level = "should"
	Info   Level = "info"
)

// Outweighs reports whether a violation of this level matters more than one of another.
func (l Level) Outweighs(other Level) bool {
	return slices.Index(levels, l) > slices.Index(levels, other)
}

// Heavier returns the heavier one of two levels. Any level is heavier than "".
func Heavier(a, b Level) Level {
	if b.Outweighs(a) {
		return b
	}
	return a
}

var levels = []Level{Info, Should, Must}

// Verdict is the result of judging one run, or many, by a rule.
type Verdict string

// The verdicts. Untested: there was no evidence. Unclaimed: the loop does not claim what the rule is about.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Untested  Verdict = "untested"
	Unclaimed Verdict = "unclaimed"
)
