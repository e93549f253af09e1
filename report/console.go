package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/rules"
)

// Console shows a report to people: what is broken, rule by rule, and then the result. The zero value writes plain
// text.
//
//	err := report.Console{}.Write(os.Stdout, r)
type Console struct {
	// Colour stresses some words with the escape codes of terminals.
	Colour bool

	// Width is how many characters a line takes; 0 is 100.
	Width int

	// Expected reports whether a failure is on a known-failing list: it is counted but not described. nil: none is.
	Expected func(rule, caseID string) bool
}

// Write writes the whole report: the failures, then the summary.
func (c Console) Write(w io.Writer, r *Report) error {
	if err := c.WriteFailures(w, r); err != nil {
		return err
	}
	return c.WriteSummary(w, r)
}

// WriteFailures describes each broken rule once: the musts first, then in short what should be.
func (c Console) WriteFailures(w io.Writer, r *Report) error {
	var b bytes.Buffer
	for _, level := range levels {
		for _, rule := range r.Broken(level) {
			if e, ok := r.example(rule, c.Expected); ok {
				b.WriteString(c.failure(e, r.fatal(level)))
				b.WriteByte('\n')
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// fatal reports whether a breach at a level makes the loop not conformant.
func (r *Report) fatal(l rules.Level) bool {
	return l == rules.Must || l == rules.Should && r.Strict
}

// Describe returns a case's breach of a rule as text, as the console shows it, or "" when there is none.
func Describe(c *Case, rule string) string {
	for i := range c.Findings {
		if c.Findings[i].Rule == rule {
			e := example{rule: rule, level: levelIn(rule, c.Profile), of: c, finding: &c.Findings[i]}
			return Console{}.failure(e, true)
		}
	}
	return ""
}

// failure describes a broken rule by an example of it.
func (c Console) failure(e example, whole bool) string {
	b := block{console: c}
	word := "FAIL"
	if !whole {
		word = "WARN"
	}
	b.line(0, c.paint(inkOf(e.level), word)+"  "+c.paint(bold, e.rule)+"  "+c.paint(faint, string(e.level)))
	b.text(6, e.finding.Message, bold)
	b.text(6, e.where(), faint)
	if whole {
		b.whole(e)
	} else {
		b.short(e)
	}
	return b.String()
}

// whole writes, in this order: what we answered, what is owed, expected, actual, the exhibit from the request, what
// the real provider answers, the source, how to reproduce it, and how to have it explained.
func (b *block) whole(e example) {
	b.line(0, "")
	if e.finding.Answered != "" {
		b.text(2, e.finding.Answered, "")
	}
	rule := rules.Lookup(e.rule)
	if rule != nil {
		b.text(2, rule.Text, "")
	}
	b.line(0, "")
	b.detail("expected", e.finding.Expected)
	b.detail("actual", e.finding.Actual)
	b.exhibit(e.finding)
	if who, said, ok := e.provider(); ok {
		b.item("provider", who+" answers "+said)
	}
	if rule != nil && len(rule.Sources) > 0 {
		b.item("source", source(rule.Sources[0]))
	}
	b.pointers(e)
}

// short is whole without what one can look up.
func (b *block) short(e example) {
	b.line(0, "")
	if rule := rules.Lookup(e.rule); rule != nil {
		b.text(2, rule.Text, "")
		b.line(0, "")
	}
	b.detail("expected", e.finding.Expected)
	b.detail("actual", e.finding.Actual)
	b.pointers(e)
}

// pointers says where one goes from here.
func (b *block) pointers(e example) {
	b.command("reproduce", e.of.Reproduce)
	if rules.Lookup(e.rule) != nil {
		b.command("explain", "loopproof explain "+e.rule)
	}
}

func (b *block) exhibit(f *Finding) {
	if f.Request == 0 {
		return
	}
	at := fmt.Sprintf("request %d", f.Request)
	switch {
	case f.Exhibit == "":
		b.item(at, f.Pointer)
	default:
		b.item(at, f.Pointer)
		b.labelled("", fold(f.Exhibit, b.console.width()-labels-2))
	}
}

func source(s rules.Source) string {
	if s.Says == "" {
		return s.URL
	}
	return s.URL + " (" + s.Says + ")"
}

// block is a text in the making, with labels in a column of their own.
type block struct {
	strings.Builder
	console Console
}

// labels is how wide the column of labels is.
const labels = 11

func (b *block) line(indent int, text string) {
	if text != "" {
		b.WriteString(strings.Repeat(" ", indent) + text)
	}
	b.WriteByte('\n')
}

// text writes a text in lines of the console's width.
func (b *block) text(indent int, text string, how ink) {
	for _, line := range wrap(text, b.console.width()-indent) {
		b.line(indent, b.console.paint(how, line))
	}
}

// item writes a text behind a label. Without a text it writes nothing.
func (b *block) item(label, text string) {
	if text == "" {
		return
	}
	b.labelled(label, wrap(text, b.console.width()-labels-2))
}

// detail is an item of which the first lines will do.
func (b *block) detail(label, text string) {
	if text != "" {
		b.labelled(label, firstLines(wrap(text, b.console.width()-labels-2)))
	}
}

// command writes a line that is to be copied, and so is not broken.
func (b *block) command(label, line string) {
	if line != "" {
		b.labelled(label, []string{line})
	}
}

func (b *block) labelled(label string, lines []string) {
	for i, line := range lines {
		if i > 0 {
			label = ""
		}
		padded := strings.Repeat(" ", max(0, labels-length(label))) + label
		b.line(0, strings.TrimRight(b.console.paint(faint, padded)+"  "+line, " "))
	}
}

// maxLines is how many lines are shown of a text such as the trace of a crash.
const maxLines = 12

func firstLines(lines []string) []string {
	if len(lines) <= maxLines {
		return lines
	}
	return append(slices.Clone(lines[:maxLines]), fmt.Sprintf("… and %d lines more", len(lines)-maxLines))
}
