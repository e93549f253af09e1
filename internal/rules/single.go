package rules

import (
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Position is the place in a script at which the history of a request ends. nil means that the request belongs to no
// script.
type Position struct {
	script   *scenarios.Script
	returned []ReturnedTurn
}

// Locate finds the position of a request in a script.
func Locate(script *scenarios.Script, req *wire.Request) *Position {
	return &Position{script, alignScript(script, req)}
}

// Next returns the index of the next turn. Turns that failed leave no trace in a history, and are skipped once a later
// turn has come back.
func (p *Position) Next() int {
	next := 0
	for _, e := range p.returned {
		if e.Message != nil {
			next = e.Turn.Number + 1
		}
	}
	return next
}

// alignScript aligns the turns of a script with the assistant messages of a request: as many turns as there are
// messages, and more where an id tells that the history is older than it is long.
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

// singles are runs that nobody uses now, as *Run: each request to a server is judged as one, and a run is large.
var singles = sync.Pool{New: func() any { return new(Run) }}

// WithSingle calls f with a run that consists of one request, at a position of a script, or of none if the position is
// nil. The run must not be used afterwards.
func WithSingle(p *profiles.Profile, at *Position, x *trace.Exchange, f func(*Run)) {
	run := singles.Get().(*Run)
	run.Exchanges = append(run.Exchanges[:0], x)
	run.beSingle(p, at)
	f(run)
	clear(run.Exchanges)
	*run = Run{Run: trace.Run{Exchanges: run.Exchanges}}
	singles.Put(run)
}

func (r *Run) beSingle(p *profiles.Profile, at *Position) {
	if at == nil {
		r.Script = &scenarios.Script{Scenario: &scenarios.Scenario{}, Profile: p}
	} else {
		r.Script, r.returned = at.script, newReturnedTurns(at.returned)
	}
	r.Case.Dialect, r.Case.Delivery = p.Dialect, wire.DeliverJSON
}

// AloneCheck is how a rule judges single requests. It keeps the parts of the rule that are needed for it close
// together, because a server judges each request by more than a hundred rules.
type AloneCheck struct {
	Rule     *Rule
	request  func(*profiles.Profile, *wire.Request) CheckResult // nil: the rule judges what comes back alone
	run      func(*Run) CheckResult                             // nil: it judges the request alone
	returned bool                                               // [Rule.Returned]
	threads  bool                                               // [Rule.Threads]
}

// Alone returns how the rule judges single requests in a dialect, and false if it can find nothing in them. Rules about what
// a loop hands over in the end cannot, nor those that compare two runs.
func (r *Rule) Alone(d *wire.Dialect) (AloneCheck, bool) {
	can := r.Invariant && r.In(d) && (r.Request != nil || r.Run != nil && !slices.ContainsFunc(r.Needs, handedOver))
	return AloneCheck{r, r.Request, r.Run, r.Returned, r.Threads}, can
}

func handedOver(f protocol.Feature) bool { return f == protocol.Transcript || f == protocol.Events }

// Check judges a single request by what it says and returns, as a run that WithSingle makes. The findings have the
// level of the rule under the profile of the run. It is Rule.Check without the work that only serves evidence. kept
// says that what the request says is known to keep the rule.
func (c *AloneCheck) Check(run *Run, kept bool) []trace.Finding {
	x := run.Exchanges[0]
	var found []trace.Finding
	if c.request != nil && !kept && (!c.returned || x.Kept() == 0) {
		found = c.request(run.Script.Profile, x.Request).Findings
	}
	if c.run != nil && (c.request != nil || len(run.returned.all) > 0) && (!c.threads || run.usesThreads()) {
		found = append(found, c.run(run).Findings...)
	}
	if len(found) == 0 {
		return nil
	}
	found = c.Rule.named(once(found))
	for i := range found {
		found[i].Request, found[i].Level = 0, c.Rule.LevelOf(run.Script.Profile, found[i])
	}
	return found
}
