package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/rules"
)

// WriteHTML writes the report as one page that needs nothing else, no network and no scripts.
func (r *Report) WriteHTML(w io.Writer) error {
	return page.Write(w, "report.tmpl", htmlPage{Report: r, Word: words[r.Result], Counts: r.tally().rows()})
}

// htmlPage is what the page shows.
type htmlPage struct {
	*Report
	Word   string
	Counts []htmlCount
}

// htmlCount is how many rules came to a verdict.
type htmlCount struct {
	Verdict      trace.Verdict
	Must, Should int
}

func (t tally) rows() []htmlCount {
	var rows []htmlCount
	for _, v := range verdicts {
		rows = append(rows, htmlCount{v, t[v][trace.Must], t[v][trace.Should]})
		if v == trace.Failed && t.of(follows) > 0 {
			rows = append(rows, htmlCount{"and so also", t[follows][trace.Must], t[follows][trace.Should]})
		}
	}
	return rows
}

// htmlFailure is a broken rule, described by its example.
type htmlFailure struct {
	Rule
	Finding                    page.Finding
	Where, Answered, Reproduce string
	Trace                      string // the whole exchange, as a text
	Also                       string // what else is broken only since the rule is
}

// Failures returns the broken rules, the heaviest first.
func (p htmlPage) Failures() []htmlFailure {
	var all []htmlFailure
	for _, level := range levels {
		for _, rule := range p.Broken(level) {
			if e, ok := p.example(rule, nil); ok {
				all = append(all, htmlFailure{rule, e.shown(), strings.ToUpper(e.where()[:1]) + e.where()[1:], e.finding.Answered, e.of.Reproduce, e.of.Trace.String(), e.also})
			}
		}
	}
	return all
}

// shown is the example as pages show it.
func (e example) shown() page.Finding {
	f := page.Finding{
		Rule: e.rule, Level: string(e.level), Message: e.finding.Message, Expected: e.finding.Expected, Actual: e.finding.Actual,
		Pointer: e.finding.Pointer, Exhibit: e.finding.Exhibit,
	}
	if e.finding.Request > 0 {
		f.Pointer = strings.TrimSpace(fmt.Sprintf("request %d %s", e.finding.Request, f.Pointer))
	}
	if who, said, ok := e.provider(); ok {
		f.Provider = who + " answers " + said
	}
	if rule := rules.Lookup(e.rule); rule != nil {
		f.Text = rule.Text
		if len(rule.Sources) > 0 {
			f.Source = rule.Sources[0].URL
		}
	}
	return f
}

// htmlRule is a line of the table of all rules.
type htmlRule struct {
	Rule
	Text string
}

// All returns all rules, area by area.
func (p htmlPage) All() []htmlRule {
	var all []htmlRule
	for _, rule := range p.Rules {
		text := ""
		if known := rules.Lookup(rule.ID); known != nil {
			text = known.Text
		}
		if rule.Verdict == trace.Untested {
			text += " Missing: " + evidence(rule.ID) + "."
		}
		all = append(all, htmlRule{rule, text})
	}
	return all
}

// Design names what the loop does otherwise than most.
func (p htmlPage) Design() string { return strings.Join(designs(p.Report), ", ") }

// NotClaimed names the features that the loop does not claim.
func (p htmlPage) NotClaimed() string { return strings.Join(unclaimed(p.Report), ", ") }
