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

// CheckRequest judges a single request outside of a run by what it says and returns alone. script may be nil.
func CheckRequest(p *profiles.Profile, script *scenarios.Script, x *Exchange) []Finding {
	run := &Run{Run: trace.Run{Script: script, Exchanges: []*Exchange{x}}}
	if script == nil {
		run.Script = &scenarios.Script{Scenario: &scenarios.Scenario{}, Profile: p}
	} else {
		run.echoes = returnedTurns(script, x.Request)
	}
	run.Case.Dialect, run.Case.Delivery = p.Dialect, wire.DeliverJSON
	var found []Finding
	for _, rule := range Book() {
		if !rule.Invariant || rule.Request == nil && len(run.echoes) == 0 {
			continue
		}
		judged := rule.Check(run)
		for _, f := range judged.Findings {
			f.Request, f.Level = 0, rule.LevelOf(p, f)
			found = append(found, f)
		}
	}
	return found
}
