package rules

import (
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
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

// returnedTurns aligns the turns of a script with the assistant messages of a request, as far as those go.
func returnedTurns(script *scenarios.Script, req *wire.Request) []Echo {
	said := 0
	for _, m := range req.Messages {
		if m.Role == wire.Assistant {
			said++
		}
	}
	var turns []*scenarios.Turn
	for _, t := range script.Turns {
		if t.Returns() && len(turns) < said {
			turns = append(turns, t)
		}
	}
	return align(turns, &Exchange{Request: req})
}

// CheckRequest judges a single request outside of a run by what it says and returns alone. script may be nil.
func CheckRequest(p *profiles.Profile, script *scenarios.Script, x *Exchange) []Finding {
	run := &Run{Script: script, Exchanges: []*Exchange{x}}
	if script == nil {
		run.Script = &scenarios.Script{Scenario: &scenarios.Scenario{}, Profile: p}
	} else {
		run.echoes = returnedTurns(script, x.Request)
	}
	run.Case.Delivery = wire.DeliverJSON
	var found []Finding
	for _, rule := range Book() {
		if !rule.Invariant || rule.Request == nil && len(run.echoes) == 0 {
			continue
		}
		judged := rule.Check(run)
		for _, f := range judged.Findings {
			f.Request, f.Level = 0, rule.LevelUnder(p)
			found = append(found, f)
		}
	}
	return found
}
