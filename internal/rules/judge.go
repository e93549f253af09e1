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
	Level    trace.Level // under the run's profile
	Verdict  trace.Verdict
	Findings []trace.Finding
}

// Claims reports whether a loop claims a feature.
type Claims func(protocol.Feature) bool

// AppliesTo reports whether the rule is judged in a case of a scenario, in which these wire APIs are
// spoken. In a scenario with quirks only the rules about them and those about single requests are, so
// that one mistake in a reader of answers does not show as ten. Where two wire APIs are spoken, only
// the rules about single requests are, and those that are [Rule.OverAPIs], by the first one.
func (r *Rule) AppliesTo(s *scenarios.Scenario, c trace.Case, spoken ...*wire.Dialect) bool {
	if r.OverAPIs && len(spoken) > 1 {
		spoken = spoken[:1]
	} else if len(spoken) > 1 && (r.Request == nil || r.Run != nil) {
		return false
	}
	if !r.Invariant && !slices.Contains(s.Rules, r.ID) || !slices.ContainsFunc(spoken, r.In) {
		return false
	}
	return len(r.Quirks) > 0 || r.Run == nil || (c.Delivery.Ordinary() || r.AnyDelivery) && len(s.Facts().Quirks) == 0
}

// Claimed reports whether a loop with these claims can be judged by the rule.
func (r *Rule) Claimed(claims Claims) bool {
	return !slices.ContainsFunc(r.Needs, func(f protocol.Feature) bool { return !claims(f) })
}

// Judge returns the verdict of the rule on a run, for a loop with these claims.
func (r *Rule) Judge(run *Run, claims Claims) Judgement {
	j := Judgement{Rule: r, Level: r.LevelIn(run, r.LevelUnder(run.Script.Profile))}
	if !r.Claimed(claims) || !r.handedInFormat(run) {
		j.Verdict = trace.Unclaimed
		return j
	}
	judged := r.Check(run)
	j.Findings = judged.Findings
	switch {
	case len(judged.Findings) > 0:
		j.Verdict = trace.Failed
		j.Level = r.weigh(run, j.Findings)
	case judged.HasEvidence && !(slices.Contains(r.Needs, protocol.Streaming) && run.WentWithoutStreams()):
		j.Verdict = trace.Passed
	case r.Returned && run.usesThreads(), r.Asked != nil && !r.Asked(run):
		j.Verdict = trace.Unclaimed
	default:
		j.Verdict = trace.Untested
	}
	return j
}

// WentWithoutStreams reports whether the task says to stream, and the loop never asked for a
// stream. Then nothing that it did right is evidence for rules about streams.
func (r *Run) WentWithoutStreams() bool { return r.Task.Stream && r.askedAlways(false) }

// StreamedUnasked reports whether the task says not to stream, and the loop asked for a stream each
// time.
func (r *Run) StreamedUnasked() bool { return !r.Task.Stream && r.askedAlways(true) }

// askedAlways reports whether the loop asked the model, and each time for a stream, or each time
// for none.
func (r *Run) askedAlways(stream bool) bool {
	all := r.Conversation()
	return len(all) > 0 && !slices.ContainsFunc(all, func(x *trace.Exchange) bool { return x.Request.Stream != stream })
}

// weigh gives each finding its level, unless it says that it weighs less, and returns the highest.
func (r *Rule) weigh(run *Run, findings []trace.Finding) trace.Level {
	highest := trace.Info
	for i := range findings {
		f := &findings[i]
		level := r.LevelIn(run, r.LevelOf(run.profileAt(f.Request), *f))
		if level == trace.Should && run.lostInSilence(r, *f) {
			level = trace.Must
		}
		setLevel(f, level)
		if f.Level.Outweighs(highest) {
			highest = f.Level
		}
	}
	return highest
}

// setLevel gives a finding a level, unless the check gave it a lower one.
func setLevel(f *trace.Finding, level trace.Level) {
	if f.Level == "" || f.Level.Outweighs(level) {
		f.Level = level
	}
}

// lostInSilence reports whether a loop lost, mixed up or made up something of an answer and then
// reported the run as completed, where the provider is known to answer so today. A loop that cannot
// read such an answer may say so.
func (r *Run) lostInSilence(rule *Rule, f trace.Finding) bool {
	return f.Lost && r.surelyShows(rule.Quirks) && r.Outcome != nil && r.Outcome.Status == protocol.Completed
}

// LevelIn returns the level in a run of a violation that has a level under its profile. If a
// provider requires the opposite of others, it is a should for loops that do not claim this
// provider. If an answer has quirks, a violation may be the quirk itself, or follow from misreading
// it: the rules about quirks decide its level.
func (r *Rule) LevelIn(run *Run, level trace.Level) trace.Level {
	p := run.Script.Profile
	if !run.ClaimsProfile && slices.Contains(p.ContradictsOthers, r.ID) {
		return trace.Should
	}
	if r.Level == trace.Must && len(r.Quirks) > 0 && !run.surelyShows(r.Quirks) {
		return trace.Should
	}
	if level == trace.Must && len(r.Quirks) == 0 && len(run.Script.Scenario.Facts().Quirks) > 0 {
		return trace.Should
	}
	if handed := run.handed(r); level == trace.Must && len(r.MustIn) > 0 && handed.Read != nil && !slices.Contains(r.MustIn, handed.Read.Format.Name) {
		return trace.Should
	}
	return level
}

// Check judges a finished run by this rule alone. What later requests repeat of a violation is
// reported once.
func (r *Rule) Check(run *Run) CheckResult {
	if !slices.ContainsFunc(run.Spoken(), r.In) || run.Ending.How == trace.Hung && !r.Unending {
		return CheckResult{}
	}
	return r.check(run)
}

// check judges a run in a dialect that the rule is about.
func (r *Rule) check(run *Run) (all CheckResult) {
	if r.Request != nil {
		for _, x := range run.Exchanges {
			all.Add(r.checkRequest(run, x))
		}
	}
	all.Add(r.checkRun(run))
	all.Findings = r.named(once(all.Findings))
	return all
}

// checkRun judges a run by what is more than single requests.
func (r *Rule) checkRun(run *Run) CheckResult {
	switch {
	case r.Run != nil && r.handedInFormat(run):
		return r.Run(run)
	case r.RunQuirks != nil:
		return r.RunQuirks(run, r.Quirks)
	case r.ComparesQuirks():
		return CompareWithBaseline(run, r.Quirks)
	}
	return CheckResult{}
}

// named writes the rule into findings.
func (r *Rule) named(findings []trace.Finding) []trace.Finding {
	for i := range findings {
		findings[i].Rule = r.ID
	}
	return findings
}

// once leaves out what was found before in the same place.
func once(findings []trace.Finding) []trace.Finding {
	if len(findings) < 2 {
		return findings
	}
	type place struct{ pointer, message string }
	reported := map[place]bool{}
	return slices.DeleteFunc(findings, func(f trace.Finding) bool {
		at := place{f.Pointer, f.Message}
		repeated := reported[at] && f.Pointer != ""
		reported[at] = true
		return repeated
	})
}

// checkRequest looks at one request of a run. Only a request that carries a tool result is
// evidence: it is what a loop makes and what no single call of a model needs.
func (r *Rule) checkRequest(run *Run, x *trace.Exchange) CheckResult {
	if x.Request == nil || !r.sees(x) || !r.In(x.Request.Dialect) {
		return CheckResult{}
	}
	judged := r.Request(run.ProfileOf(x), x.Request)
	for i := range judged.Findings {
		judged.Findings[i].Request = x.Number
	}
	judged.HasEvidence = len(judged.Findings) > 0 || judged.HasEvidence && run.carriesPrompt(x.Request) && CarriesResult(x.Request)
	return judged
}

// sees reports whether the rule can be judged by the request of an exchange alone: one that leaves
// earlier turns to the provider does not return them.
func (r *Rule) sees(x *trace.Exchange) bool { return !r.Returned || x.Kept() == 0 }

// OnServed checks the requests that the script answers: one after its end ends with the answer.
func OnServed(check func(*profiles.Profile, *wire.Request) CheckResult) func(*Run) CheckResult {
	return func(r *Run) (j CheckResult) {
		j.HasEvidence = r.UsedTools()
		for _, x := range r.Served() {
			for _, f := range check(r.Script.Profile, x.Request).Findings {
				f.Request = x.Number
				j.Find(f)
			}
		}
		return j
	}
}

// Refuser returns the check by which a provider refuses a request, or nil if it is [Rule.Provider]
// where the provider sees less than the rule.
func (r *Rule) Refuser() func(*profiles.Profile, *wire.Request) CheckResult {
	if r.Provider != nil {
		return r.Provider
	}
	return r.Request
}
