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
	apply := make([]*rules.Rule, 0, len(Book()))
	for _, rule := range Book() {
		if rule.AppliesTo(r.Script.Scenario, r.Case, r.Script.Profile.Speaks) {
			apply = append(apply, rule)
		}
	}
	judgements := make([]rules.Judgement, len(apply))
	for i, rule := range apply {
		judgements[i] = rule.Judge(r, claims)
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
		return CheckExamined(p, Examined{}, x)
	}
	return CheckExamined(p, Examined{Position: rules.Locate(script, x.Request)}, x)
}

// CheckExamined is [CheckRequest] for a request of which something is known.
func CheckExamined(p *profiles.Profile, known Examined, x *trace.Exchange) []trace.Finding {
	var found []trace.Finding
	rules.WithSingle(p, known.Position, x, func(run *rules.Run) {
		all := invariantsOf(run.Script.Profile.Speaks)
		for i := range all {
			found = append(found, all[i].Check(run, known.keeps.has(i))...)
		}
	})
	return found
}

// Examined is what is known of a request before all rules judge it.
type Examined struct {
	Position *rules.Position // in its script; nil: it belongs to none
	keeps    keptRules
}

// keptRules are the rules that a request keeps by what it says alone, by their places in [invariantsOf] its dialect.
type keptRules [4]uint64

func (k *keptRules) add(i int)     { k[i/64] |= 1 << (i % 64) }
func (k keptRules) has(i int) bool { return i/64 < len(k) && k[i/64]&(1<<(i%64)) != 0 }

// invariants are []rules.AloneCheck by *wire.Dialect.
var invariants sync.Map

// invariantsOf returns the rules that every single request in a dialect is judged by, in the order of the book.
func invariantsOf(d *wire.Dialect) []rules.AloneCheck {
	if known, ok := invariants.Load(d); ok {
		return known.([]rules.AloneCheck)
	}
	var all []rules.AloneCheck
	for _, rule := range Book() {
		if check, can := rule.Alone(d); can {
			all = append(all, check)
		}
	}
	invariants.Store(d, all)
	return all
}
