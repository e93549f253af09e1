package matrix

import (
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

// Statement is what the authors of a loop answer to its results. Their answer about a single rule is
// beside its verdict: [Verdict.Statement].
type Statement struct {
	By   string `yaml:"by"`   // who speaks: the authors, or the organization
	URL  string `yaml:"url"`  // where they said it, such as their pull request
	Date string `yaml:"date"` // YYYY-MM-DD
	Text string `yaml:"text"` // about all of the results, or "" where the verdicts have what they say
}

// checkStatement checks that each answer has somebody who gave it, and a place where that is seen.
func (f *LoopFile) checkStatement(doc *strictyaml.Document, errs *problems) {
	answered := f.Statement.Text != ""
	for _, v := range f.Verdicts {
		answered = answered || v.Statement != ""
	}
	switch s := f.Statement; {
	case !answered && s != (Statement{}):
		errs.add(doc.Errorf("/statement", "it says nothing: it has a text, or verdicts have a statement"))
	case !answered:
	case strings.TrimSpace(s.By) == "" || s.URL == "":
		errs.add(doc.Errorf("/statement", "a statement of a loop's authors says who they are (by) and where they said it (url)"))
	default:
		checkURLs(doc, errs, "/statement/url", s.URL)
		if _, err := time.Parse(time.DateOnly, s.Date); err != nil {
			errs.add(doc.Errorf("/statement/date", "expected a date as in 2026-12-01, not %q", s.Date))
		}
	}
}

// writeStatement writes what the authors say of the results as a chapter in Markdown.
func (f *LoopFile) writeStatement(b *strings.Builder) {
	if f.Statement.By == "" {
		return
	}
	b.WriteString("\n## What its authors say\n\n")
	if text := strings.TrimSpace(f.Statement.Text); text != "" {
		b.WriteString(text + "\n\n")
	}
	b.WriteString(f.Statement.By + ", " + f.Statement.Date + ": <" + f.Statement.URL + ">\n")
}
