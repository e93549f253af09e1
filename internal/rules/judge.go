package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Judgement is a rule's verdict on one run.
type Judgement struct {
	Rule     *Rule
	Level    Level // under the run's profile
	Verdict  Verdict
	Findings []Finding
}

// Claims tells which features a loop claims.
type Claims func(protocol.Feature) bool

// Judge judges a finished run by all rules that apply to it: the invariants and those that its scenario lists.
func Judge(r *Run, claims Claims) []Judgement {
	var judgements []Judgement
	for _, rule := range Book() {
		if rule.AppliesTo(r.Script.Scenario, r.Case, r.Script.Profile.Speaks) {
			judgements = append(judgements, rule.judge(r, claims))
		}
	}
	return judgements
}

// AppliesTo reports whether the rule is judged in a case of a scenario. In a scenario with quirks only the rules
// about them and those about single requests are, so that one mistake in a reader of answers does not show as ten.
func (r *Rule) AppliesTo(s *scenarios.Scenario, c Case, d *wire.Dialect) bool {
	odd := c.Delivery != wire.DeliverJSON && c.Delivery != wire.DeliverSSE
	switch {
	case !r.In(d):
		return false
	case len(r.Quirks) > 0:
	case r.Run != nil && (odd && !r.AnyDelivery || len(s.Quirks()) > 0):
		return false
	}
	return r.Invariant || slices.Contains(s.Rules, r.ID)
}

// Claimed reports whether a loop with these claims can be judged by the rule.
func (r *Rule) Claimed(claims Claims) bool {
	return !slices.ContainsFunc(r.Needs, func(f protocol.Feature) bool { return !claims(f) })
}

func (r *Rule) judge(run *Run, claims Claims) Judgement {
	j := Judgement{Rule: r, Level: r.levelIn(run, r.LevelUnder(run.Script.Profile))}
	if !r.Claimed(claims) || !r.about(run) {
		j.Verdict = Unclaimed
		return j
	}
	judged := r.Check(run)
	j.Findings = judged.Findings
	switch {
	case len(judged.Findings) > 0:
		j.Verdict = Failed
		j.Level = r.weigh(run, j.Findings)
	case judged.Seen:
		j.Verdict = Passed
	case r.Returned && run.usesThreads():
		j.Verdict = Unclaimed
	default:
		j.Verdict = Untested
	}
	return j
}

// weigh gives each finding its level, unless it says that it weighs less, and returns the highest.
func (r *Rule) weigh(run *Run, findings []Finding) Level {
	highest := Info
	for i := range findings {
		f := &findings[i]
		level := r.levelIn(run, r.LevelOf(run.Script.Profile, *f))
		if level == Should && run.lostInSilence(r, *f) {
			level = Must
		}
		if f.Level == "" || f.Level.Outweighs(level) {
			f.Level = level
		}
		if f.Level.Outweighs(highest) {
			highest = f.Level
		}
	}
	return highest
}

// lostInSilence reports whether a loop lost, mixed up or made up something of an answer and went on to report the run as
// completed, where the provider is known to answer so today. A loop that cannot read such an answer may say so.
func (r *Run) lostInSilence(rule *Rule, f Finding) bool {
	return f.Lost && r.surelyShows(rule.Quirks) && r.Outcome != nil && r.Outcome.Status == protocol.Completed
}

// levelIn returns the level in a run of a breach that has a level under its profile. Where a provider demands the opposite
// of what others do, a loop that does not say that it knows this one is not held to it. And where it answers oddly, what a
// loop sends back amiss may be the oddity itself, or come of having misread it: how much that matters is for the rules about
// quirks to say.
func (r *Rule) levelIn(run *Run, level Level) Level {
	p := run.Script.Profile
	if !run.Named && slices.Contains(p.Contrary, r.ID) {
		return Should
	}
	if r.Level == Must && len(r.Quirks) > 0 && !run.surelyShows(r.Quirks) {
		return Should
	}
	if level == Must && len(r.Quirks) == 0 && len(run.Script.Scenario.Quirks()) > 0 {
		return Should
	}
	if handed := run.handed(r); level == Must && len(r.MustIn) > 0 && handed.read != nil && !slices.Contains(r.MustIn, handed.read.Format.Name) {
		return Should
	}
	return level
}

// Check judges a finished run by this rule alone. What later requests repeat of a breach is reported once.
func (r *Rule) Check(run *Run) Judged {
	var all Judged
	if !r.In(run.Script.Profile.Speaks) || run.Ending.How == trace.Hung && !r.Unending {
		return all
	}
	if r.Request != nil {
		for _, x := range run.Exchanges {
			all.add(r.checkRequest(run, x))
		}
	}
	switch {
	case r.Run != nil && r.about(run):
		all.add(r.Run(run))
	case len(r.Quirks) > 0:
		all.add(readInPlain(run, r.Quirks))
	}
	all.Findings = once(all.Findings)
	for i := range all.Findings {
		all.Findings[i].Rule = r.ID
	}
	return all
}

// once leaves out what was found before in the same place.
func once(findings []Finding) []Finding {
	if len(findings) < 2 {
		return findings
	}
	type place struct{ pointer, message string }
	reported := map[place]bool{}
	return slices.DeleteFunc(findings, func(f Finding) bool {
		at := place{f.Pointer, f.Message}
		repeated := reported[at] && f.Pointer != ""
		reported[at] = true
		return repeated
	})
}

// checkRequest looks at one request of a run. Only a request that carries a tool result is evidence: it is what a loop
// makes and what no single call of a model needs.
func (r *Rule) checkRequest(run *Run, x *Exchange) Judged {
	if x.Request == nil || r.Returned && x.Kept() > 0 {
		return Judged{}
	}
	judged := r.Request(run.Script.Profile, x.Request)
	for i := range judged.Findings {
		judged.Findings[i].Request = x.Number
	}
	judged.Seen = len(judged.Findings) > 0 || judged.Seen && carriesResult(x.Request) && run.carriesPrompt(x.Request)
	return judged
}

// onServed checks the requests that the script answers: one behind its end ends with the answer.
func onServed(check func(*profiles.Profile, *wire.Request) Judged) func(*Run) Judged {
	return func(r *Run) (j Judged) {
		j.Seen = r.UsedTools()
		for _, x := range r.Served() {
			for _, f := range check(r.Script.Profile, x.Request).Findings {
				f.Request = x.Number
				j.Find(f)
			}
		}
		return j
	}
}

// Refuse returns the error with which a profile's provider answers a request, and false when it takes it.
func Refuse(p *profiles.Profile, req *wire.Request) (Refusal, profiles.Words, bool) {
	for _, refusal := range p.Refuses {
		if refusal.Until != "" {
			continue
		}
		if refused, words, ok := refuse(p, req, refusal); ok {
			return refused, words, true
		}
	}
	return Refusal{}, profiles.Words{}, false
}

// RefuseBy returns what a provider answers to a request because of one rule alone, and false when it takes the request
// as far as that rule goes.
func RefuseBy(p *profiles.Profile, req *wire.Request, rule string) (Refusal, bool) {
	for _, refusal := range p.Refuses {
		if refusal.Rule == rule && refusal.Until == "" && req != nil {
			refused, _, ok := refuse(p, req, refusal)
			return refused, ok
		}
	}
	return Refusal{}, false
}

func refuse(p *profiles.Profile, req *wire.Request, refusal profiles.Refusal) (Refusal, profiles.Words, bool) {
	rule := Lookup(refusal.Rule)
	if rule == nil || rule.refuser() == nil {
		return Refusal{}, profiles.Words{}, false
	}
	for _, f := range rule.refuser()(p, req).Findings {
		if refusal.Refuses(f.Vars) {
			words := refusal.WordsOf(f.Vars)
			return Refusal{Rule: rule.ID, Status: refusal.StatusOf(f.Vars), Message: words.Message}, words, true
		}
	}
	return Refusal{}, profiles.Words{}, false
}

func (r *Rule) refuser() func(*profiles.Profile, *wire.Request) Judged {
	if r.Provider != nil {
		return r.Provider
	}
	return r.Request
}
