package rulebook

import (
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Judge judges a finished run by all rules that apply to it: the invariants and those that its scenario lists.
func Judge(r *rules.Run, claims rules.Claims) []rules.Judgement {
	var judgements []rules.Judgement
	for _, rule := range Book() {
		if rule.AppliesTo(r.Script.Scenario, r.Case, r.Script.Profile.Speaks) {
			judgements = append(judgements, rule.Judge(r, claims))
		}
	}
	return judgements
}

// RefuseBy returns what a provider answers to a request because of one rule alone, and false when it takes the request
// as far as that rule goes.
func RefuseBy(p *profiles.Profile, req *wire.Request, rule string) (said trace.Refusal, is bool) {
	i := slices.IndexFunc(p.Refuses, func(r profiles.Refusal) bool { return r.Rule == rule && r.Until == "" })
	if i < 0 || req == nil {
		return said, false
	}
	if entry, ok := refuserEntryOf(&p.Refuses[i]); ok {
		entry.reasons(p, req, func(r Refused) bool {
			said, is = r.Refusal, true
			return false
		})
	}
	return said, is
}

// CheckRequest judges a single request outside of a run by what it says and returns alone. script may be nil.
func CheckRequest(p *profiles.Profile, script *scenarios.Script, x *trace.Exchange) []trace.Finding {
	if script == nil {
		return CheckRequestAt(p, nil, x)
	}
	return CheckRequestAt(p, rules.Locate(script, x.Request), x)
}

// CheckRequestAt is [CheckRequest] for a request of which the position in a script is known; nil: it belongs to no script.
func CheckRequestAt(p *profiles.Profile, at *rules.Position, x *trace.Exchange) []trace.Finding {
	run := rules.SingleRequest(p, at, x)
	var found []trace.Finding
	for _, rule := range invariantsOf(run.Script.Profile.Speaks) {
		found = append(found, rule.CheckAlone(run)...)
	}
	return found
}

// invariants are []*rules.Rule by *wire.Dialect.
var invariants sync.Map

// invariantsOf returns the rules that every single request in a dialect is judged by, in the order of the book.
func invariantsOf(d *wire.Dialect) []*rules.Rule {
	if known, ok := invariants.Load(d); ok {
		return known.([]*rules.Rule)
	}
	all := slices.DeleteFunc(slices.Clone(Book()), func(r *rules.Rule) bool { return !r.JudgesAlone(d) })
	invariants.Store(d, all)
	return all
}
