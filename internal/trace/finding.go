package trace

import "github.com/loopproof/loopproof/report"

// Finding is a rule broken at a place in a run. Package report has what of it people see.
type Finding struct {
	Rule     string // id of the violated rule
	Level    Level  // level of the violation in that run
	Request  int    // number of the request, from 1; 0: the finding is not about a single request
	Pointer  string // JSON pointer into that request
	Message  string // what is wrong, in a sentence
	Expected string // what the rule requires
	Actual   string // what happened instead
	Because  string // the rule whose violation in the same run caused this one; "" for a violation of its own

	// What follows is for this process alone, and not for other replicas of a mock provider.

	// Answer is the number of the request whose answer was handled wrongly; 0 where that is the one
	// before Request.
	Answer int `json:"-"`

	// Calls are the ids, as they are on the wire, of the calls that the finding is about; none
	// where that is not known.
	Calls []string `json:"-"`

	// Lost says that something of an answer was lost, mixed up or made up.
	Lost bool `json:"-"`

	// Vars fill the words in which a provider refuses the request.
	Vars map[string]string `json:"-"`
}

// Report returns the finding as a report shows it, without evidence.
func (f Finding) Report() report.Finding {
	return report.Finding{
		Rule: f.Rule, Level: f.Level, Request: f.Request, Pointer: f.Pointer, Message: f.Message,
		Expected: f.Expected, Actual: f.Actual, Because: f.Because,
	}
}

// Level and Verdict are those of a report.
type (
	Level   = report.Level
	Verdict = report.Verdict
)

// The levels and verdicts.
const (
	Must   = report.Must
	Should = report.Should
	Info   = report.Info

	Passed    = report.Passed
	Failed    = report.Failed
	Untested  = report.Untested
	Unclaimed = report.Unclaimed
)

// Heavier returns the heavier one of two levels. Any level is heavier than "".
func Heavier(a, b Level) Level {
	if b.Outweighs(a) {
		return b
	}
	return a
}
