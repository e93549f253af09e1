// Package casereport makes the cases of a report out of what happened: a run that was played, or a
// single request to a server, which is a case of one exchange. Package suite and package journal
// both use it, so that the same violation reads the same in both.
//
//	played := casereport.Played{Profile: profile, Exchanges: run.Exchanges}
//	c := played.Case(run.Case.ID(), run.Case)
//	played.Add(&c, judgement)
//	totals.Count(judgement)
package casereport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Played is what happened in a case, as far as a report shows it.
type Played struct {
	Profile    *profiles.Profile // nil if it is not known what the provider refuses
	Exchanges  []*trace.Exchange
	Executions []*trace.Execution
	Outcome    *protocol.Outcome // what the loop reported; nil: nothing, or it is not known
	Ending     trace.Ending      // how the run ended; none for single requests
	Crash      *trace.Crash      // how the process of the loop was killed, or nil if it was not
	Cancel     *trace.Cancel     // what the user cancelled, or nil if there is nothing
	Approvals  []*trace.Approval // what the user was asked about calls

	// Delegations are the conversations with sub-agents, whose requests are numbered with those of
	// this one.
	Delegations []Played

	// Got returns the bytes with which the request of a number was answered. They are not known
	// where it is nil or returns nil.
	Got func(number int) *report.TracedAnswer
}

// Case returns the case, without the verdict of any rule.
func (p Played) Case(id string, of trace.Case) report.Case {
	return report.Case{
		ID: id, Scenario: of.Scenario, Dialect: of.Dialect, Profile: of.Profile, Delivery: string(of.Delivery),
		Verdicts: map[string]trace.Verdict{}, Findings: []report.Finding{}, ProviderAnswer: p.providerAnswer(),
	}
}

// Add adds to a case the verdict of a rule and what it found, the first of it with what shows it.
func (p Played) Add(c *report.Case, j rules.Judgement) {
	c.Verdicts[j.Rule.ID] = j.Verdict
	first := len(c.Findings)
	for _, f := range j.Findings {
		f.Expected, f.Actual = plainJSON(f.Expected), plainJSON(f.Actual)
		shown := f.Report()
		shown.Reported = p.where(f).reported(f)
		c.Findings = append(c.Findings, shown)
	}
	if len(j.Findings) > 0 {
		p.where(j.Findings[0]).show(j.Rule, j.Findings[0], &c.Findings[first])
	}
}

// where returns the conversation that a finding is about: one with a sub-agent, or that of the
// caller.
func (p Played) where(f trace.Finding) Played {
	for _, d := range p.Delegations {
		if d.exchange(f.Request) != nil || d.exchange(f.Answer) != nil {
			return d
		}
	}
	return p
}

// show fills in what shows a finding in a report: what the loop was answered before, the part of
// the request, and what the real provider says to it.
func (p Played) show(rule *rules.Rule, found trace.Finding, f *report.Finding) {
	before := p.before(found)
	f.Sent = p.sent(rule, before, f.Reported != "")
	f.Answered = sentences(p.describeCancel(before), p.describeCrash(before), p.describeAnswer(before), p.describeDecisions(before), p.describeQuirks(before, f), p.describeFailures(before))
	x := p.exchange(f.Request)
	if x == nil {
		return
	}
	f.Exhibit = Exhibit(x.Request, found)
	if p.Profile == nil {
		return
	}
	if refusal, ok := rulebook.RefuseBy(p.Profile, x.Request, f.Rule); ok {
		f.ProviderAnswer = p.answer(x, refusal)
	}
}

// sentences joins those that say something.
func sentences(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " ")
}

// exchange returns the exchange of a number, or nil.
func (p Played) exchange(number int) *trace.Exchange {
	at := slices.IndexFunc(p.Exchanges, func(x *trace.Exchange) bool { return number > 0 && x.Number == number })
	if at < 0 {
		return nil
	}
	return p.Exchanges[at]
}

// providerAnswer returns what the real provider says to the first request that it refuses.
func (p Played) providerAnswer() *report.Answer {
	for _, x := range p.Exchanges {
		if x.Refusal != nil {
			return p.answer(x, *x.Refusal)
		}
	}
	return nil
}

func (p Played) answer(x *trace.Exchange, r trace.Refusal) *report.Answer {
	a := &report.Answer{Status: r.Status, Message: r.Message, Rule: r.Rule, Request: x.Number}
	if p.Profile != nil {
		a.Provider = p.Profile.Title
	}
	return a
}

// before returns the exchange whose answer was handled wrongly, or nil: the one that the finding
// names, or else the last one before its request.
func (p Played) before(f trace.Finding) (last *trace.Exchange) {
	if x := p.exchange(f.Answer); x != nil {
		return x
	}
	for _, x := range p.Exchanges {
		if f.Request != 0 && x.Number >= f.Request {
			break
		}
		last = x
	}
	return last
}

// describeFailures says which tools failed that were run for an answer, which nothing on the wire
// may show.
func (p Played) describeFailures(x *trace.Exchange) string {
	if x == nil || x.Turn == nil || x.Turn.Answer == nil {
		return ""
	}
	next := p.exchange(x.Number + 1)
	var failed []string
	for _, e := range p.Executions {
		called := slices.ContainsFunc(x.Turn.Answer.Calls, func(c wire.AnswerCall) bool { return c.Scripted() == e.Tool })
		if called && e.Failed && e.Start >= x.Start && (next == nil || e.Start < next.Start) {
			failed = append(failed, fmt.Sprintf("The tool %s was run, and failed with %s.", e.Tool, rules.Quote(e.Result)))
		}
	}
	return strings.Join(slices.Compact(failed), " ")
}
