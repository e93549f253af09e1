package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Returned returns how far into a script the history of a request reaches: the index of the turn that comes next.
// Turns that failed leave no trace in a history and are stepped over once a later turn has come back.
func Returned(script *scenarios.Script, req *wire.Request) int {
	next := 0
	for _, e := range alignTurns(script, req) {
		if e.Message != nil {
			next = e.Turn.Number + 1
		}
	}
	return next
}

// alignTurns aligns the turns of a script with the assistant messages of a request: as many turns as there are
// messages, and more where an id tells that the history is older than it is long.
func alignTurns(script *scenarios.Script, req *wire.Request) []ReturnedTurn {
	said := len(AnswersIn(req, script.Scenario.Prompts))
	var turns []*scenarios.Turn
	reach := 0
	for _, t := range script.Turns {
		if !t.Returns() {
			continue
		}
		turns = append(turns, t)
		returned := slices.ContainsFunc(req.Messages, func(m wire.Message) bool { return SameID(t.Answer, m) })
		if returned || len(turns) <= said {
			reach = len(turns)
		}
	}
	return AlignTurns(turns[:reach], &trace.Exchange{Request: req}, script.Scenario.Prompts)
}

// SingleRequest returns a run of one request alone. script may be nil.
func SingleRequest(p *profiles.Profile, script *scenarios.Script, x *trace.Exchange) *Run {
	run := &Run{Run: trace.Run{Script: script, Exchanges: []*trace.Exchange{x}}}
	if script == nil {
		run.Script = &scenarios.Script{Scenario: &scenarios.Scenario{}, Profile: p}
	} else {
		run.returned = newReturnedTurns(alignTurns(script, x.Request))
	}
	run.Case.Dialect, run.Case.Delivery = p.Dialect, wire.DeliverJSON
	return run
}

// JudgesAlone reports whether the rule can find something in single requests in a dialect. Rules about what a loop hands over
// in the end cannot.
func (r *Rule) JudgesAlone(d *wire.Dialect) bool {
	return r.Invariant && r.In(d) && (r.Request != nil || !slices.ContainsFunc(r.Needs, handedOver))
}

func handedOver(f protocol.Feature) bool { return f == protocol.Transcript || f == protocol.Events }

// CheckAlone judges a single request by what it says and returns alone, as a run of [SingleRequest], by a rule that
// [Rule.JudgesAlone] in its dialect. The findings have the level of the rule under the profile of the run.
func (r *Rule) CheckAlone(run *Run) []trace.Finding {
	if r.Request == nil && len(run.returned.all) == 0 {
		return nil
	}
	found := r.check(run).Findings
	for i := range found {
		found[i].Request, found[i].Level = 0, r.LevelOf(run.Script.Profile, found[i])
	}
	return found
}
