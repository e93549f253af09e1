package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Position is the place in a script at which the history of a request ends. nil means that the
// request belongs to no script.
type Position struct {
	script   *scenarios.Script
	returned []ReturnedTurn
}

// Locate finds the position of a request in a script.
func Locate(script *scenarios.Script, req *wire.Request) *Position {
	return &Position{script, alignScript(script, req)}
}

// Next returns the index of the next turn. Turns that failed leave no trace in a history, and are
// skipped once a later turn has come back.
func (p *Position) Next() int {
	next := 0
	for _, e := range p.returned {
		if e.Message != nil {
			next = e.Turn.Number + 1
		}
	}
	return next
}

// alignScript aligns the turns of a script with the assistant messages of a request: as many turns
// as there are messages, and more where an id tells that the history is older than it is long.
func alignScript(script *scenarios.Script, req *wire.Request) []ReturnedTurn {
	said := AnswersIn(req, script.Scenario.Prompts)
	var turns []*scenarios.Turn
	reach := 0
	for _, t := range script.Turns {
		if !t.Returns() {
			continue
		}
		turns = append(turns, t)
		if len(turns) <= len(said) || returnsIDOf(req, t.Answer) {
			reach = len(turns)
		}
	}
	if reach == 0 {
		return nil
	}
	return alignTurns(turns[:reach], &trace.Exchange{Request: req}, said)
}

// returnsIDOf reports whether a request has a call under an id of an answer.
func returnsIDOf(req *wire.Request, a *wire.Answer) bool {
	if len(a.Calls) == 0 {
		return false
	}
	for i := range req.Messages {
		if SameID(a, &req.Messages[i]) {
			return true
		}
	}
	return false
}

// Single returns a run that consists of one request, at a position of a script, or of none if the
// position is nil.
func Single(p *profiles.Profile, at *Position, x *trace.Exchange) *Run {
	run := &Run{Run: trace.Run{
		Script:    &scenarios.Script{Scenario: &scenarios.Scenario{}, Profile: p},
		Exchanges: []*trace.Exchange{x},
	}}
	run.Case.Dialect, run.Case.Delivery = p.Dialect, wire.DeliverJSON
	if at != nil {
		run.Script, run.returned = at.script, newReturnedTurns(at.returned)
	}
	return run
}

// FindsAlone reports whether the rule can find something in single requests of a dialect. Rules
// about what a loop hands over in the end cannot, nor those that compare two runs.
func (r *Rule) FindsAlone(d *wire.Dialect) bool {
	return r.Invariant && r.In(d) && (r.Request != nil || r.Run != nil && !slices.ContainsFunc(r.Needs, handedOver))
}

func handedOver(f protocol.Feature) bool { return f == protocol.Transcript || f == protocol.Events }

// CheckAlone judges a single request by what it says and returns, as a run that [Single] makes. The
// findings have the level of the rule under the profile of the run, or the lower one that the check
// gives them. It is [Rule.Check] without the work that only serves evidence. clean says that Request
// is known to find nothing.
func (r *Rule) CheckAlone(run *Run, clean bool) []trace.Finding {
	x := run.Exchanges[0]
	var found []trace.Finding
	if r.Request != nil && !clean && (!r.Returned || x.Kept() == 0) {
		found = r.Request(run.Script.Profile, x.Request).Findings
	}
	if r.Run != nil && (r.Request != nil || len(run.returned.all) > 0) && (!r.Threads || run.usesThreads()) {
		found = append(found, r.Run(run).Findings...)
	}
	if len(found) == 0 {
		return nil
	}
	found = r.named(once(found))
	for i := range found {
		f := &found[i]
		f.Request = 0
		setLevel(f, r.LevelOf(run.Script.Profile, *f))
	}
	return found
}
