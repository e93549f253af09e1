package journal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/casereport"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// maxCases bounds of how many requests is kept what was wrong with them.
const maxCases = 10_000

// Tally sums requests up, however many come. It is not safe for use by many goroutines.
type Tally struct {
	requests   int
	unreadable int // requests that are no request for a turn at all
	unkept     int // requests that go on from what the provider does not keep
	unscripted int // requests that belong to no scenario
	totals     casereport.Totals
	cases      []talliedCase // the same ones in a row are one
	kept       int           // requests of all cases
	dialects   map[string]bool
	client     string
	first      time.Time
	last       time.Time
	again      repeated
}

// repeated is the last request that broke rules and was not refused. A client that breaks one often
// does so each time.
type repeated struct {
	findings   *trace.Finding // the first of them: requests that are known to be the same share them
	judgements []rules.Judgement
	tallied    talliedCase
}

// is reports whether an entry is of the same request, answered in the same way.
func (r *repeated) is(e *Entry) bool {
	return len(e.Findings) > 0 && &e.Findings[0] == r.findings && e.Exchange.Refusal == nil
}

// talliedCase is what is kept of a request. Most break no rule: what their case says is made when a
// report is asked for.
type talliedCase struct {
	profile  *profiles.Profile
	scenario string
	stream   bool
	broken   *report.Case // of the first request of which it is known, or nil if nothing is wrong
	times    int          // in a row
}

// NewTally returns a tally of no request.
func NewTally() *Tally {
	return &Tally{totals: casereport.Totals{}, dialects: map[string]bool{}}
}

// Add adds a request that was judged. Unrouted ones do not count, and neither do lists of models: they
// may be probes.
func (t *Tally) Add(e *Entry) {
	if e.Unrouted || e.API == Models {
		return
	}
	t.requests++
	if e.Profile != nil {
		t.dialects[e.Profile.Dialect] = true
	}
	switch {
	case e.goesOnFromNothing():
		t.unkept++
	case e.API != "" && e.Exchange.Problem == "":
	case e.Exchange.Request == nil:
		t.unreadable++
	case e.Exchange.Problem != "":
		t.unscripted++
	}
	if t.first.IsZero() {
		t.first = e.At
	}
	t.last = e.At
	if agent := e.Header.Get("User-Agent"); agent != "" {
		t.client = agent
	}
	judgements, tallied := t.judged(e)
	for _, j := range judgements {
		t.totals.Count(j)
	}
	if t.kept < maxCases {
		t.keep(tallied)
	}
}

// judged returns the rules that a request breaks, and what is kept of it.
func (t *Tally) judged(e *Entry) ([]rules.Judgement, talliedCase) {
	if t.again.is(e) {
		return t.again.judgements, t.again.tallied
	}
	judgements := e.judgements(t.requests)
	tallied := e.tallied(t.requests, judgements)
	if len(e.Findings) > 0 && e.Exchange.Refusal == nil {
		t.again = repeated{&e.Findings[0], judgements, tallied}
	}
	return judgements, tallied
}

// keep adds a case. Most requests are like the one before.
func (t *Tally) keep(c talliedCase) {
	t.kept++
	if n := len(t.cases); n > 0 && t.cases[n-1].isLike(c) {
		t.cases[n-1].times++
		return
	}
	c.times = 1
	t.cases = append(t.cases, c)
}

// isLike reports whether all is the same that is kept of two requests besides their numbers.
func (k talliedCase) isLike(other talliedCase) bool {
	other.times = k.times
	return k == other
}

// Sum is what a tally says of all requests in numbers.
type Sum struct {
	Requests   int `json:"requests"`   // without unrouted ones, and lists of models
	Unreadable int `json:"unreadable"` // of them: they could not be read
	Unkept     int `json:"unkept"`     // of them: those that go on from what the provider does not keep
	Unscripted int `json:"unscripted"` // of them: of no scenario
	Musts      int `json:"musts"`      // rules of that level that were broken
	Shoulds    int `json:"shoulds"`
	Infos      int `json:"infos"`
}

// Sum returns the numbers.
func (t *Tally) Sum() Sum {
	broken := t.totals.Broken()
	return Sum{
		Requests: t.requests, Unreadable: t.unreadable, Unkept: t.unkept, Unscripted: t.unscripted,
		Musts: broken[trace.Must], Shoulds: broken[trace.Should], Infos: broken[trace.Info],
	}
}

// Report returns what was wrong with the requests as a report, in which each request is a case.
// Nothing but single requests was judged, so it never says conformant.
func (t *Tally) Report(version string) *report.Report {
	r := &report.Report{
		Schema: report.Schema, Requests: true, Version: version, Started: t.first, DurationMS: t.last.Sub(t.first).Milliseconds(),
		Loop: report.Loop{Name: cmp.Or(t.client, "the client")}, Result: report.Partial,
		Claims: report.Claims{Dialects: slices.Sorted(maps.Keys(t.dialects)), Features: []protocol.Feature{}, Unclaimed: []protocol.Feature{}},
		Rules:  []report.Rule{}, Cases: make([]report.Case, 0, t.kept),
	}
	for _, c := range t.cases {
		for range c.times {
			r.Cases = append(r.Cases, c.asCase(len(r.Cases)+1))
		}
	}
	for _, rule := range rulebook.Book() {
		if t.totals.Judged(rule.ID) > 0 {
			broken := t.totals.Rule(rule)
			broken.Cases = t.requests // without a violation it is not known whether there was evidence
			r.Rules = append(r.Rules, broken)
		}
	}
	if t.unreadable > 0 {
		r.Notes = append(r.Notes, textlayout.Count(t.unreadable, "request")+" could not be read as a request to a model")
	}
	if t.unkept > 0 {
		r.Notes = append(r.Notes, textlayout.Count(t.unkept, "request")+" went on from what the provider does not keep")
	}
	if t.Sum().Violations() {
		r.Result = report.NotConformant
	}
	return r
}

// Violations reports whether a must was broken, or a request was none at all or went on from
// nothing.
func (s Sum) Violations() bool { return s.Musts > 0 || s.Unreadable > 0 || s.Unkept > 0 }

// judgements returns the rules that a request of a number breaks, each with its findings, which are
// together by rules.
func (e *Entry) judgements(number int) []rules.Judgement {
	var all []rules.Judgement
	for _, f := range e.Findings {
		rule := rulebook.Lookup(f.Rule)
		if rule == nil {
			continue // another server of another version found it
		}
		f.Request = number
		if n := len(all); n == 0 || all[n-1].Rule != rule {
			all = append(all, rules.Judgement{Rule: rule, Verdict: trace.Failed})
		}
		last := &all[len(all)-1]
		last.Level, last.Findings = trace.Heavier(last.Level, f.Level), append(last.Findings, f)
	}
	return all
}

// tallied returns what is kept of a request of a number.
func (e *Entry) tallied(number int, judgements []rules.Judgement) talliedCase {
	kept := talliedCase{profile: e.Profile, scenario: e.Scenario, stream: e.Exchange.Request != nil && e.Exchange.Request.Stream}
	if len(e.Findings) == 0 && e.Exchange.Refusal == nil {
		return kept
	}
	x := e.Exchange
	x.Number = number
	played := casereport.Played{Profile: e.Profile, Exchanges: []*trace.Exchange{&x}}
	c := played.Case(kept.of(number))
	for _, j := range judgements {
		played.Add(&c, j)
	}
	briefCase(&c)
	kept.broken = &c
	return kept
}

// asCase makes a case of a report out of it.
func (k talliedCase) asCase(number int) report.Case {
	id, of := k.of(number)
	if k.broken == nil {
		return casereport.Played{Profile: k.profile}.Case(id, of)
	}
	c := *k.broken
	c.ID, c.Findings, c.ProviderAnswer = id, slices.Clone(c.Findings), answerTo(c.ProviderAnswer, number)
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Request, f.ProviderAnswer = number, answerTo(f.ProviderAnswer, number)
	}
	return c
}

// answerTo returns the provider's answer to a request of a number; nil stays nil.
func answerTo(a *report.Answer, number int) *report.Answer {
	if a == nil {
		return nil
	}
	renumbered := *a
	renumbered.Request = number
	return &renumbered
}

// of returns the id of the case of a request, and what it is a case of.
func (k talliedCase) of(number int) (id string, of trace.Case) {
	id, of = fmt.Sprintf("request %d", number), trace.Case{Scenario: k.scenario, Delivery: wire.DeliverJSON}
	if k.scenario != "" {
		id += " (" + k.scenario + ")"
	}
	if k.profile != nil {
		of.Dialect, of.Profile = k.profile.Dialect, k.profile.Name
	}
	if k.stream {
		of.Delivery = wire.DeliverSSE
		if k.profile != nil {
			of.Delivery = of.Delivery.In(k.profile.Frames())
		}
	}
	return id, of
}

// Refused says in a sentence what the real provider answers to a request, and "" when it takes it.
func (e Entry) Refused() string {
	r := e.Exchange.Refusal
	if r == nil {
		return ""
	}
	who := "the provider"
	if e.Profile != nil {
		who = title(e.Profile)
	}
	return fmt.Sprintf("%s answers %d: %s", who, r.Status, strings.TrimSpace(r.Message))
}

func title(p *profiles.Profile) string {
	if p.Title != "" {
		return p.Title
	}
	return p.Name
}
