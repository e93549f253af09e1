package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// Console writes a report for people: a block for each broken rule, the table of rules by verdict,
// and the result in the last line. The zero value writes plain text.
//
//	err := report.Console{}.Write(os.Stdout, r)
type Console struct {
	// Colour highlights some words with the escape codes of terminals.
	Colour bool

	// Width is the length of a line in characters; 0 means 100.
	Width int

	// Expected reports whether a failure is on a known-failing list. Such failures are counted but
	// not described. nil means that there is no list.
	Expected func(rule, caseID string) bool

	// Short describes only the first failure in full, and the others in a line each, so that a
	// screen has them all.
	Short bool

	// More says how to see the rest of a short report: "--verbose describes each of them".
	More string

	// Note is a remark after the result, for example that a known-failing list accepts it.
	Note string
}

// Write writes the whole report: the failures, the summary, and last the result.
func (c Console) Write(w io.Writer, r *Report) error {
	if err := c.WriteFailures(w, r); err != nil {
		return err
	}
	if err := c.WriteSummary(w, r); err != nil {
		return err
	}
	return c.WriteResult(w, r)
}

// WriteFailures describes each broken rule once, those of the worst cause first; those that make a
// loop not conformant in full.
func (c Console) WriteFailures(w io.Writer, r *Report) error {
	var b bytes.Buffer
	all := r.failures(c.Expected)
	for i, e := range all {
		if c.Short && i > 0 {
			b.WriteString(c.others(r, all[0], all[1:]))
			break
		}
		if c.Short {
			e.cases = nil // not where else
		}
		fatal := r.fatal(e.rule.Level)
		b.WriteString(c.failure(e, fatal, fatal))
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// mostOthers is how many rules a short report lists besides the first.
const mostOthers = 12

// others lists broken rules in a line each, those that have the error of the first one under a
// heading of their own.
func (c Console) others(r *Report, first example, all []example) string {
	s := c.layout()
	heading := ""
	for i, e := range all {
		under := "other failures"
		if first.cause != "" && e.cause == first.cause {
			under = "failures in which the loop reported an error of this kind"
		}
		if left := len(all) - i; i == mostOthers && left > 1 {
			s.Text(2, fmt.Sprintf("and %d more rules", left), textlayout.Plain)
			break
		}
		if under != heading {
			heading = under
			s.Line(0, s.Styled(textlayout.Bold, capitalized(under)))
		}
		c.inALine(s, r, e)
	}
	s.Item("more", c.More)
	s.Line(0, "")
	return s.String()
}

// inALine names a broken rule, in how many cases it is broken, and what is wrong.
func (c Console) inALine(s *textlayout.Builder, r *Report, e example) {
	word := "FAIL"
	if !r.fatal(e.rule.Level) {
		word = heads[e.rule.Level]
	}
	message, _, _ := strings.Cut(e.finding.Message, "\n")
	line := fmt.Sprintf("%s (%d of %s): %s", e.rule.ID, e.more+1, textlayout.Count(e.rule.Cases, "case"), message)
	s.Line(2, s.Styled(styleOf(e.rule.Level), word)+"  "+textlayout.Shorten(line, cmp.Or(c.Width, 100)-8))
}

func capitalized(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func (c Console) layout() *textlayout.Builder {
	return &textlayout.Builder{Colour: c.Colour, Width: c.Width}
}

// styleOf returns the style for violations of a level.
func styleOf(l Level) textlayout.Style {
	switch l {
	case Must:
		return textlayout.Red
	case Should:
		return textlayout.Amber
	default:
		return textlayout.Plain
	}
}

// heads are the labels of violations that do not make a loop non-conformant.
var heads = map[Level]string{Must: "WARN", Should: "WARN", Info: "INFO"}

// fatal reports whether a violation of a level makes the loop non-conformant.
func (r *Report) fatal(l Level) bool {
	return l == Must || l == Should && r.Strict
}

// Brief returns the first violation of a rule in one line, or "" if there is none.
func (c *Case) Brief(rule string) string {
	f := c.first(rule)
	if f == nil {
		return ""
	}
	message, _, _ := strings.Cut(f.Message, "\n")
	brief := fmt.Sprintf("%s (%s): %s", rule, f.Level, message)
	if said := f.reported(); said != "" {
		brief += "; " + said
	}
	if f.Because != "" {
		brief += ", which follows from " + f.Because
	}
	return brief
}

// failure describes a broken rule by an example. It is fatal if it makes the loop non-conformant.
func (c Console) failure(e example, fatal, long bool) string {
	s := c.layout()
	word := "FAIL"
	if !fatal {
		word = heads[e.rule.Level]
	}
	s.Line(0, s.Styled(styleOf(e.rule.Level), word)+"  "+s.Styled(textlayout.Bold, e.rule.ID)+"  "+s.Styled(textlayout.Faint, e.rule.standing()))
	s.Text(6, e.finding.Message, textlayout.Bold)
	s.Text(6, e.where(), textlayout.Faint)
	if long {
		describe(s, e)
	} else {
		s.Detail("expected", e.finding.Expected)
		s.Detail("actual", e.finding.Actual)
		s.Item("reported", e.finding.reported())
		s.Item("as a result", e.also)
	}
	return s.String()
}

// standing returns the level of a rule, and why it is not counted, if so.
func (r Rule) standing() string {
	if r.Standing == "" {
		return string(r.Level)
	}
	return string(r.Level) + ", " + r.Standing + ": not counted under this number of the rulebook"
}

// describe writes, in this order: what the mock provider answered, the rule, expected, actual, the
// excerpt of the request, the real provider's answer, the source, and the commands that reproduce
// and explain it.
func describe(s *textlayout.Builder, e example) {
	s.Line(0, "")
	if e.finding.Answered != "" {
		s.Text(2, e.finding.Answered, textlayout.Plain)
	}
	s.Text(2, e.rule.Text, textlayout.Plain)
	s.Line(0, "")
	s.Detail("expected", e.finding.Expected)
	s.Detail("actual", e.finding.Actual)
	s.Item("reported", e.finding.reported())
	exhibit(s, e.finding)
	s.Exact("sent", e.finding.Sent)
	if who, said, ok := e.provider(); ok {
		s.Item("provider", who+" answers "+said)
	}
	if sources := e.rule.sourcesFor(e.of.Dialect); len(sources) > 0 {
		s.Item("source", sources[0].String())
	}
	s.Item("also in", e.elsewhere())
	s.Item("as a result", e.also)
	s.Command("reproduce", e.of.Reproduce)
	s.Command("explain", "loopproof explain "+e.rule.ID)
}

func exhibit(s *textlayout.Builder, f *Finding) {
	if f.Request == 0 {
		return
	}
	s.Item(fmt.Sprintf("request %d", f.Request), f.Pointer)
	s.Exact("", f.Exhibit)
}
