package rulebook

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Judge judges a finished run by all rules that apply to it: the invariants and those that its
// scenario lists.
func Judge(r *rules.Run, claimed rules.Claims) []rules.Judgement {
	claims := rules.Claims(claims.InTask(claimed, r.Task))
	apply := make([]*rules.Rule, 0, len(Book()))
	for _, rule := range Book() {
		if rule.AppliesTo(r.Script.Scenario, r.Case, r.Spoken()...) {
			apply = append(apply, rule)
		}
	}
	judgements := make([]rules.Judgement, len(apply))
	for i, rule := range apply {
		judgements[i] = rule.Judge(r, claims)
	}
	judgements = judgeAfterTheEnd(r, judgements, claims)
	for _, d := range r.Delegations {
		judgements = withDelegation(judgements, Judge(d.Run, claims))
	}
	return judgements
}

// withDelegation adds what the rules say of a conversation with a sub-agent to what they say of its
// caller.
func withDelegation(all, of []rules.Judgement) []rules.Judgement {
	for _, j := range of {
		if j.Verdict != trace.Failed && j.Verdict != trace.Passed {
			continue
		}
		i := slices.IndexFunc(all, func(same rules.Judgement) bool { return same.Rule == j.Rule })
		switch {
		case i < 0:
			all = append(all, j)
		case all[i].Verdict == trace.Failed && j.Verdict == trace.Failed:
			all[i].Findings = append(all[i].Findings, j.Findings...)
			if j.Level.Outweighs(all[i].Level) {
				all[i].Level = j.Level
			}
		case all[i].Verdict != trace.Failed:
			all[i] = j
		}
	}
	return all
}

// judgeAfterTheEnd adds why the provider refused requests after the end of the script. Such a rule
// is broken in any scenario: what a loop asks there is its own choice, and no scenario can list
// what it may be. One about what the loop does not claim is not judged there either.
func judgeAfterTheEnd(r *rules.Run, judgements []rules.Judgement, claims rules.Claims) []rules.Judgement {
	for _, x := range r.Exchanges {
		if !rules.RefusedAfterTheEnd(x) {
			continue
		}
		for refused := range Refusals(context.Background(), r.ProfileOf(x), x.Request) {
			if Lookup(refused.Rule).Claimed(claims) {
				judgements = withRefusal(r, judgements, x, refused)
			}
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
	f.Rule = rule.ID
	f.Request, f.Level = x.Number, rule.LevelOf(r.ProfileOf(x), refused.Finding)
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

// RefuseBy returns what a provider answers to a request because of one rule alone, and false when
// it takes the request as far as that rule goes.
func RefuseBy(p *profiles.Profile, req *wire.Request, rule string) (said trace.Refusal, is bool) {
	i := slices.IndexFunc(p.Refuses, func(r profiles.Refusal) bool { return r.Rule == rule && r.Until == "" })
	if i < 0 || req == nil {
		return said, false
	}
	if entry, ok := refuserEntryOf(&p.Refuses[i]); ok {
		entry.reasons(&asked{profile: p, request: req}, func(r Refused) bool {
			said, is = r.Refusal, true
			return false
		})
	}
	return said, is
}

// CheckRequest judges a single request outside of a run by what it says and returns alone. script
// may be nil. If ctx ends, no further rule is asked: it returns what was found until then.
func CheckRequest(ctx context.Context, p *profiles.Profile, script *scenarios.Script, x *trace.Exchange) []trace.Finding {
	var at *rules.Position
	if script != nil {
		at = rules.Locate(script, x.Request)
	}
	run := rules.Single(p, at, x)
	asked := ask(run.Script.Profile, x.Request)
	if x.Request.Continuable() {
		defer asked.note()
	}
	var found []trace.Finding
	for _, rule := range invariantsOf(run.Script.Profile.Speaks) {
		if ctx.Err() != nil {
			break
		}
		found = append(found, asked.alone(rule, run)...)
	}
	return found
}

// invariants are []*numbered by *wire.Dialect.
var invariants sync.Map

// invariantsOf returns the rules that every single request in a dialect is judged by, in the order
// of the book.
func invariantsOf(d *wire.Dialect) (all []*numbered) {
	if known, ok := invariants.Load(d); ok {
		return known.([]*numbered)
	}
	for _, r := range Book() {
		if r.FindsAlone(d) {
			all = append(all, byID()[r.ID])
		}
	}
	invariants.Store(d, all)
	return all
}
