package journal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/casereport"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/sheet"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// maxCases bounds of how many requests is kept what was wrong with them.
const maxCases = 10_000

// Tally sums requests up, however many come. It is not safe for use by many goroutines.
type Tally struct {
	requests   int
	unreadable int // requests that are no request for a turn at all
	unscripted int // requests that belong to no scenario
	broken     map[string]int
	levels     map[string]trace.Level
	cases      []report.Case
	dialects   map[string]bool
	client     string
	first      time.Time
	last       time.Time
}

// NewTally returns a tally of no request.
func NewTally() *Tally {
	return &Tally{broken: map[string]int{}, levels: map[string]trace.Level{}, dialects: map[string]bool{}}
}

// Add adds a request that was judged. Unrouted ones do not count: a probe, or another API.
func (t *Tally) Add(e Entry) {
	if e.Unrouted {
		return
	}
	t.requests++
	if e.Profile != nil {
		t.dialects[e.Profile.Dialect] = true
	}
	switch {
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
	seen := map[string]bool{}
	for _, f := range e.Findings {
		if seen[f.Rule] {
			continue
		}
		seen[f.Rule] = true
		t.broken[f.Rule]++
		t.levels[f.Rule] = trace.Heavier(t.levels[f.Rule], f.Level)
	}
	if len(t.cases) < maxCases {
		t.cases = append(t.cases, e.asCase(t.requests))
	}
}

// Sum is what a tally says of all requests in numbers.
type Sum struct {
	Requests   int `json:"requests"`   // for a turn of the model; unrouted ones are not counted
	Unreadable int `json:"unreadable"` // of them: no request for a turn at all
	Unscripted int `json:"unscripted"` // of them: of no scenario
	Musts      int `json:"musts"`      // rules of that level that were broken
	Shoulds    int `json:"shoulds"`
	Infos      int `json:"infos"`
}

// Sum returns the numbers.
func (t *Tally) Sum() Sum {
	s := Sum{Requests: t.requests, Unreadable: t.unreadable, Unscripted: t.unscripted}
	for _, level := range t.levels {
		switch level {
		case trace.Must:
			s.Musts++
		case trace.Should:
			s.Shoulds++
		case trace.Info:
			s.Infos++
		}
	}
	return s
}

// Report returns what was wrong with the requests as a report, in which each request is a case. Nothing but single
// requests was judged, so it never says conformant.
func (t *Tally) Report(version string) *report.Report {
	r := &report.Report{
		Schema: report.Schema, Requests: true, Version: version, Started: t.first, DurationMS: t.last.Sub(t.first).Milliseconds(),
		Loop: report.Loop{Name: cmp.Or(t.client, "the client")}, Result: report.Partial,
		Claims: report.Claims{Dialects: slices.Sorted(maps.Keys(t.dialects)), Features: []protocol.Feature{}, Unclaimed: []protocol.Feature{}},
		Rules:  []report.Rule{}, Cases: append([]report.Case{}, t.cases...),
	}
	for _, rule := range rules.Book() {
		if n := t.broken[rule.ID]; n > 0 {
			r.Rules = append(r.Rules, report.Rule{ID: rule.ID, Level: t.levels[rule.ID], Verdict: trace.Failed, Cases: t.requests, Failed: n})
		}
	}
	if t.unreadable > 0 {
		r.Notes = append(r.Notes, sheet.Count(t.unreadable, "request")+" could not be read as one for a turn of the model")
	}
	if t.Sum().Violations() {
		r.Result = report.NotConformant
	}
	return r
}

// Violations reports whether a must was broken, or a request was none at all.
func (s Sum) Violations() bool { return s.Musts > 0 || s.Unreadable > 0 }

// asCase makes a case of a report out of a request.
func (e Entry) asCase(number int) report.Case {
	id, of := fmt.Sprintf("request %d", number), trace.Case{Scenario: e.Scenario, Delivery: wire.DeliverJSON}
	if e.Scenario != "" {
		id += " (" + e.Scenario + ")"
	}
	if e.Profile != nil {
		of.Dialect, of.Profile = e.Profile.Dialect, e.Profile.Name
	}
	if req := e.Exchange.Request; req != nil && req.Stream {
		of.Delivery = wire.DeliverSSE
	}
	if len(e.Findings) == 0 && e.Exchange.Refusal == nil { // as most are: there is nothing to show
		return casereport.Played{Profile: e.Profile}.Case(id, of)
	}
	x := e.Exchange
	x.Number = number
	played := casereport.Played{Profile: e.Profile, Exchanges: []*trace.Exchange{&x}}
	c := played.Case(id, of)
	for rest := e.Findings; len(rest) > 0; { // which stand together by rules
		n := slices.IndexFunc(rest, func(f trace.Finding) bool { return f.Rule != rest[0].Rule })
		if n < 0 {
			n = len(rest)
		}
		found := slices.Clone(rest[:n])
		for i := range found {
			found[i].Request = number
		}
		played.Add(&c, found[0].Rule, trace.Failed, found)
		rest = rest[n:]
	}
	return c
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
