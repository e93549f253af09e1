package report

import (
	"embed"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/rules"
)

//go:embed report.html.tmpl
var templates embed.FS

// page is parsed once; a test renders it.
var page = sync.OnceValues(func() (*template.Template, error) {
	return template.ParseFS(templates, "report.html.tmpl")
})

// WriteHTML writes the report as one page that needs nothing else, no network and no scripts.
func (r *Report) WriteHTML(w io.Writer) error {
	t, err := page()
	if err != nil {
		return err
	}
	return t.Execute(w, htmlPage{Report: r, Word: words[r.Result], Counts: r.tally().rows()})
}

// htmlPage is what the page shows.
type htmlPage struct {
	*Report
	Word   string
	Counts []htmlCount
}

// htmlCount is how many rules came to a verdict.
type htmlCount struct {
	Verdict      rules.Verdict
	Must, Should int
}

func (t tally) rows() []htmlCount {
	var rows []htmlCount
	for _, v := range verdicts {
		rows = append(rows, htmlCount{v, t[v][rules.Must], t[v][rules.Should]})
	}
	return rows
}

// htmlFailure is a broken rule, described by its example.
type htmlFailure struct {
	Rule
	Message, Text string
}

// Failures returns the broken rules, the heaviest first.
func (p htmlPage) Failures() []htmlFailure {
	var all []htmlFailure
	for _, level := range levels {
		for _, rule := range p.Broken(level) {
			if e, ok := p.example(rule, nil); ok {
				all = append(all, htmlFailure{rule, e.finding.Message, Console{}.failure(e, true)})
			}
		}
	}
	return all
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
		if rule.Verdict == rules.Untested {
			text += " Missing: " + evidence(rule.ID) + "."
		}
		all = append(all, htmlRule{rule, text})
	}
	return all
}

// NotClaimed names the features that the loop does not claim.
func (p htmlPage) NotClaimed() string { return strings.Join(unclaimed(p.Report), ", ") }
