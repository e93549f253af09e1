package rulebook

import (
	"context"
	"fmt"
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
	return judgeAfterTheEnd(r, judgements)
}

// judgeAfterTheEnd adds why the provider refused requests after the end of the script. Such a rule is broken in any scenario:
// what a loop asks there is its own choice, and no scenario can list what it may be.
func judgeAfterTheEnd(r *rules.Run, judgements []rules.Judgement) []rules.Judgement {
	for _, x := range r.Exchanges {
		if !rules.RefusedAfterTheEnd(x) {
			continue
		}
		for refused := range Refusals(context.Background(), r.Script.Profile, x.Request) {
			judgements = withRefusal(r, judgements, x, refused)
			break // the first is the answer
		}
	}
	return judgements
}

func withRefusal(r *rules.Run, judgements []rules.Judgement, x *trace.Exchange, refused Refused) []rules.Judgement {
	rule := Lookup(refused.Rule)
	i := slices.IndexFunc(judgements, func(j rules.Judgement) bool { return j.Rule == rule })
	if i >= 0 && slices.ContainsFunc(judgements[i].Findings, func(f trace.Finding) bool { return f.Request == x.Number }) {
		return judgements // it is found already
	}
	f := refused.Finding
	f.Request, f.Level = x.Number, rule.LevelOf(r.Script.Profile, refused.Finding)
	f.Message = fmt.Sprintf("%s, in a request after the end of the script, which the provider refuses: %d %s", f.Message, refused.Status, refused.Message)
	if i < 0 {
		i = slices.IndexFunc(judgements, func(j rules.Judgement) bool { return placeInBook(j.Rule) > placeInBook(rule) })
		if i < 0 {
			i = len(judgements)
		}
		judgements = slices.Insert(judgements, i, rules.Judgement{Rule: rule, Level: f.Level})
	}
	j := &judgements[i]
	j.Verdict, j.Findings = trace.Failed, append(j.Findings, f)
	if f.Level.Outweighs(j.Level) {
		j.Level = f.Level
	}
	return judgements
}

// placeInBook returns the place of a rule in the order of the book.
func placeInBook(rule *rules.Rule) int { return slices.Index(Book(), rule) }

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
	var known Examined
	if script != nil {
		known.Position = rules.Locate(script, x.Request)
	}
	return CheckExamined(context.Background(), p, known, x)
}

// CheckExamined is [CheckRequest] for a request of which something is known. If ctx ends, no further rule is asked: it returns
// what was found until then.
func CheckExamined(ctx context.Context, p *profiles.Profile, known Examined, x *trace.Exchange) []trace.Finding {
	var found []trace.Finding
	rules.WithSingle(p, known.Position, x, func(run *rules.Run) {
		all := invariantsOf(run.Script.Profile.Speaks)
		for i := range all {
			if ctx.Err() != nil {
				return
			}
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
