package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/sequence"
)

// WriteHTML writes the report as a single self-contained page. It needs no network, and uses
// scripts only for filters.
func (r *Report) WriteHTML(w io.Writer) error {
	return page.Write(w, "report.tmpl", htmlPage{Report: r, Word: r.word(), Counts: r.tally().rows()})
}

// htmlPage is the data of the page.
type htmlPage struct {
	*Report
	Word   string
	Counts []htmlCount
}

// htmlCount is the number of rules with a verdict.
type htmlCount struct {
	Verdict      Verdict
	Must, Should int
}

func (t tally) rows() []htmlCount {
	var rows []htmlCount
	for _, v := range verdicts {
		rows = append(rows, htmlCount{v, t[v][Must], t[v][Should]})
		if v == Failed && t.of(follows) > 0 {
			rows = append(rows, htmlCount{"as a result", t[follows][Must], t[follows][Should]})
		}
	}
	return rows
}

// Why gives the reason for the result in a few words.
func (p htmlPage) Why() string { return p.why() }

// Took returns the duration.
func (p htmlPage) Took() string {
	return page.Span((time.Duration(p.DurationMS) * time.Millisecond).Round(time.Millisecond))
}

// Noun is the word for a case: case, or request.
func (p htmlPage) Noun() string {
	if p.Requests {
		return "request"
	}
	return "case"
}

// htmlFailure is a broken rule, described by its example.
type htmlFailure struct {
	Rule
	Finding                   page.Finding
	Case, Answered, Reproduce string
	Picture                   *sequence.Diagram
	First                     bool   // of those with its cause
	Trace                     string // the complete exchange as text
	Also                      string // rules that are broken only as a consequence
	Failing                   []htmlCase
	Unlisted                  int // cases that are not in Failing
}

// htmlCase is a case in which a rule is broken.
type htmlCase struct {
	ID      string
	Message string // "": that of the example
}

// failure describes a broken rule by its example.
func (p htmlPage) failure(e example) htmlFailure {
	f := htmlFailure{
		Rule: e.rule, Finding: e.shown(), Case: e.of.ID, Answered: e.finding.Answered, Reproduce: e.of.Reproduce,
		Picture: e.of.picture(e.rule.ID), Trace: e.of.Trace.String(), Also: e.also,
	}
	f.Failing, f.Unlisted = p.failing(e.rule, e.finding.Message)
	return f
}

// maxFailing is the maximum number of failing cases that are listed for a rule.
const maxFailing = 1000

// failing returns the cases in which a rule is broken by itself, and how many more there are.
// Messages equal to that of the example are left out.
func (p htmlPage) failing(rule Rule, said string) (all []htmlCase, unlisted int) {
	for i := range p.Cases {
		c := &p.Cases[i]
		f := c.first(rule.ID)
		switch {
		case f == nil || c.Because(rule.ID) != "":
		case len(all) == maxFailing:
			unlisted++
		case f.Message == said:
			all = append(all, htmlCase{ID: c.ID})
		default:
			all = append(all, htmlCase{ID: c.ID, Message: f.Message})
		}
	}
	return all, unlisted
}

// shown is the example as pages show it.
func (e example) shown() page.Finding {
	f := page.Finding{
		Rule: e.rule.ID, Level: string(e.rule.Level), Text: e.rule.Text, Message: e.finding.Message, Expected: e.finding.Expected, Actual: e.finding.Actual, Reported: e.finding.reported(),
		Pointer: e.finding.Pointer, Exhibit: e.finding.Exhibit,
	}
	if e.finding.Request > 0 {
		f.Pointer = strings.TrimSpace(fmt.Sprintf("request %d %s", e.finding.Request, f.Pointer))
	}
	for _, s := range e.rule.sourcesFor(e.of.Dialect) {
		f.Sources = append(f.Sources, page.Source{URL: s.URL, Says: s.Says})
	}
	if who, said, ok := e.provider(); ok {
		f.Provider = who + " answers " + said
	}
	return f
}

// Untested returns the rules that were never tested, those of the highest level first.
func (p htmlPage) Untested() []Rule { return p.heaviestFirst(Untested) }

// htmlArea is an area of the rulebook.
type htmlArea struct {
	Name   string
	Counts []htmlVerdicts
	Rules  []Rule
}

// htmlVerdicts is the number of rules of an area with a verdict.
type htmlVerdicts struct {
	Verdict Verdict
	Count   int
}

// Areas returns all rules by area. A report of single requests has none, since only its broken
// rules are known, and these are listed already.
func (p htmlPage) Areas() []htmlArea {
	var all []htmlArea
	for _, rule := range p.Rules {
		if p.Requests {
			break
		}
		if n := len(all); n == 0 || all[n-1].Name != rule.Area() {
			all = append(all, htmlArea{Name: rule.Area()})
		}
		last := &all[len(all)-1]
		last.Rules = append(last.Rules, rule)
		at := slices.IndexFunc(last.Counts, func(c htmlVerdicts) bool { return c.Verdict == rule.Verdict })
		if at < 0 {
			at = len(last.Counts)
			last.Counts = append(last.Counts, htmlVerdicts{Verdict: rule.Verdict})
		}
		last.Counts[at].Count++
	}
	for i := range all {
		slices.SortFunc(all[i].Counts, func(a, b htmlVerdicts) int {
			return slices.Index(verdicts, a.Verdict) - slices.Index(verdicts, b.Verdict)
		})
	}
	return all
}

// Design names the designs of the loop.
func (p htmlPage) Design() string { return strings.Join(designs(p.Report), ", ") }

// NotClaimed names the features that the loop does not claim.
func (p htmlPage) NotClaimed() string { return strings.Join(unclaimed(p.Report), ", ") }
