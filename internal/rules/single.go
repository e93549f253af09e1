package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Returned returns how far into a script the history of a request reaches: the index of the turn that comes next.
// Turns that failed leave no trace in a history and are stepped over once a later turn has come back.
func Returned(script *scenarios.Script, req *wire.Request) int {
	next := 0
	for _, e := range returnedTurns(script, req) {
		if e.Message != nil {
			next = e.Turn.Number + 1
		}
	}
	return next
}

// returnedTurns aligns the turns of a script with the assistant messages of a request: as many turns as there are
// messages, and more where an id tells that the history is older than it is long.
func returnedTurns(script *scenarios.Script, req *wire.Request) []Echo {
	said := len(answersIn(req, script.Scenario.Prompts))
	var turns []*scenarios.Turn
	reach := 0
	for _, t := range script.Turns {
		if !t.Returns() {
			continue
		}
		turns = append(turns, t)
		returned := slices.ContainsFunc(req.Messages, func(m wire.Message) bool { return sameID(t.Answer, m) })
		if returned || len(turns) <= said {
			reach = len(turns)
		}
	}
	return align(turns[:reach], &Exchange{Request: req}, script.Scenario.Prompts)
}

// singleRequest returns a run of one request alone. script may be nil.
func singleRequest(p *profiles.Profile, script *scenarios.Script, x *Exchange) *Run {
	run := &Run{Run: trace.Run{Script: script, Exchanges: []*Exchange{x}}}
	if script == nil {
		run.Script = &scenarios.Script{Scenario: &scenarios.Scenario{}, Profile: p}
	} else {
		run.echoes = returnedTurns(script, x.Request)
	}
	run.Case.Dialect, run.Case.Delivery = p.Dialect, wire.DeliverJSON
	return run
}

// checkAlone judges a single request by what it says and returns alone, as a run of [singleRequest]. The findings have the
// level of the rule under the profile of the run.
func (r *Rule) checkAlone(run *Run) []Finding {
	if !r.Invariant || r.Request == nil && len(run.echoes) == 0 {
		return nil
	}
	found := r.Check(run).Findings
	for i := range found {
		found[i].Request, found[i].Level = 0, r.LevelOf(run.Script.Profile, found[i])
	}
	return found
}

// CheckRequest judges a single request outside of a run by what it says and returns alone. script may be nil.
func CheckRequest(p *profiles.Profile, script *scenarios.Script, x *Exchange) []Finding {
	run := singleRequest(p, script, x)
	var found []Finding
	for _, rule := range Book() {
		found = append(found, rule.checkAlone(run)...)
	}
	return found
}
