package knownfailing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// List is a known-failing list: the failures of a loop that are known and accepted for now. They
// stay in the report; the list only decides whether there is anything new. The file is a YAML list:
//
//   - rule: pairing/every-call-answered
//     case: pairing/two-tools@**
//     reason: https://example.com/issues/12
//     message: 1 tool call without an answer
//
// The zero value expects nothing.
type List struct {
	Entries []Entry

	lines []string // of the file, for [List.Update]
}

// Entry is an entry of the list: the rule is broken in every case that matches.
type Entry struct {
	Rule    string `yaml:"rule"`
	Case    string `yaml:"case"`    // a pattern with * and **
	Reason  string `yaml:"reason"`  // why the failure is accepted, or where that is discussed
	Message string `yaml:"message"` // how the message of the finding begins, * for any word; "" takes any
	at      string // file, line and column, for errors
	line    int    // on which the entry begins, from 1
}

// widest is how many cases of more than one scenario an entry may cover that states no message: a
// wider one would hide what it was not written for. The cases of one scenario, under however many
// providers, are one thing.
const widest = 20

func (e *Entry) tooWide(cases, scenarios int) bool {
	return cases > widest && scenarios > 1 && e.Message == ""
}

// Load reads a known-failing list; without a file, nothing is expected to fail. The error joins all
// problems: an unknown rule, an entry without a case or a reason, a pattern that is not
// well-formed.
func Load(file string) (*List, error) {
	if file == "" {
		return &List{}, nil
	}
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no known-failing list %s; loopproof run --update writes one", file)
	case err != nil:
		return nil, fmt.Errorf("the known-failing list cannot be read: %w", err)
	}
	return Parse(file, data)
}

// Parse is Load for a list that was read already. An empty file is an empty list.
func Parse(file string, data []byte) (*List, error) {
	return parse(file, data, true)
}

func parse(file string, data []byte, reasoned bool) (*List, error) {
	e := &List{lines: yamlLines(string(data))}
	if strings.TrimSpace(withoutComments(string(data))) == "" {
		data = append(slices.Clip(data), "\n[]\n"...)
	}
	doc, unread := strictyaml.Read(file, data, &e.Entries)
	if doc == nil {
		return nil, unread
	}
	var errs []error
	for i := range e.Entries {
		entry := &e.Entries[i]
		entry.at, entry.line = placeOf(doc, i)
		if entry.line > len(e.lines) {
			return nil, doc.Errorf(fmt.Sprintf("/%d", i), "an entry begins on a line of its own, and lines end in line feeds")
		}
		expect := func(ok bool, key, format string, args ...any) {
			if !ok {
				errs = append(errs, doc.Errorf(fmt.Sprintf("/%d/%s", i, key), format, args...))
			}
		}
		expect(entry.Rule != "", "rule", "an entry needs a rule")
		expect(entry.Rule == "" || rulebook.Lookup(entry.Rule) != nil, "rule", "unknown rule %q%s; run `loopproof list rules` for all", entry.Rule, suggest.Hint(entry.Rule, rulebook.IDs()))
		expect(entry.Case != "", "case", "an entry needs a case, or a pattern of cases")
		expect(doublestar.ValidatePattern(entry.Case), "case", "the pattern %q is not well-formed", entry.Case)
		expect(!reasoned || entry.hasReason(), "reason", "an entry needs a reason")
	}
	return e, doc.With(unread, errs...)
}

// lineEnds are where the YAML reader ends a line. It knows more ends than a line feed.
var lineEnds = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]") })

// yamlLines returns the lines of a YAML file with their ends, as its reader counts them.
func yamlLines(text string) []string {
	var lines []string
	begin := 0
	for _, end := range lineEnds().FindAllStringIndex(text, -1) {
		lines = append(lines, text[begin:end[1]])
		begin = end[1]
	}
	return append(lines, text[begin:])
}

// Accepts reports whether an entry of the list is about a rule, in any case, and has no message or
// one with which this one begins.
func (e *List) Accepts(rule, message string) bool {
	return slices.ContainsFunc(e.Entries, func(entry Entry) bool {
		return entry.Rule == rule && begins(message, entry.Message)
	})
}

// placeOf returns where an entry is.
func placeOf(doc *strictyaml.Document, i int) (at string, line int) {
	var place *strictyaml.Error
	err := doc.Errorf(fmt.Sprintf("/%d", i), "")
	if errors.As(err, &place) {
		line = place.Line
	}
	return strings.TrimSuffix(err.Error(), ": "), line
}

func (e *Entry) hasReason() bool { return strings.TrimSpace(e.Reason) != "" }

func withoutComments(text string) string {
	return strings.Join(slices.DeleteFunc(yamlLines(text), func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "#") }), "")
}

// Failure is a rule that a loop broke in a case, or for which no case gave evidence.
type Failure struct {
	Rule    string
	Case    string // "" when no case was played that could have given the evidence
	Message string
}

// Judged is the result of comparing a report with a known-failing list.
type Judged struct {
	Unexpected []Failure // failures that are not on the list and make the loop not conformant
	Expected   []Failure // failures that are on the list

	// Stale are entries that do not say how the loop fails any more: the rule passes, or fails with
	// another message.
	Stale []error

	// Mistaken are entries that can never be right: they match nothing, or too much.
	Mistaken []error

	// Stopped says why not all cases were played, which no list can excuse.
	Stopped string

	covered map[place]bool
}

// Covers reports whether a rule's failure in a case was expected.
func (j *Judged) Covers(rule, caseID string) bool { return j.covered[place{rule, caseID}] }

// Clean reports whether all failures were expected, and all that was expected failed.
func (j *Judged) Clean() bool {
	return len(j.Unexpected)+len(j.Stale)+len(j.Mistaken) == 0 && j.Stopped == ""
}

// Judge compares a report with the list. The plan says which cases were selected; entries about
// other cases are ignored. The report is not changed.
func (e *List) Judge(r *report.Report, p Plan) Judged {
	j := &judging{report: r, plan: p, failures: failures(r), at: map[place]*failure{}}
	for _, f := range j.failures {
		j.at[place{f.Rule, f.Case}] = f
	}
	for i := range e.Entries {
		j.entry(&e.Entries[i])
	}
	j.covered = map[place]bool{}
	for _, f := range j.failures {
		switch {
		case f.expected:
			j.Expected = append(j.Expected, f.Failure)
			j.covered[place{f.Rule, f.Case}] = true
		case f.fatal:
			j.Unexpected = append(j.Unexpected, f.Failure)
		}
	}
	j.Stopped = r.Stopped
	return j.Judged
}

// judging is a comparison of a list with a report.
type judging struct {
	Judged
	report   *report.Report
	plan     Plan
	failures []*failure
	at       map[place]*failure
}

// place is where a failure happened.
type place struct{ rule, caseID string }

func (j *judging) entry(e *Entry) {
	covered, scenarios := j.reach(e)
	judged := j.verdicts(e)
	switch {
	case e.tooWide(covered, scenarios):
		j.Mistaken = append(j.Mistaken, fmt.Errorf("%s: %s matches %d cases of %d scenarios: an entry for more than %d needs the message that the findings begin with, so that it hides nothing else", e.at, e.Case, covered, scenarios, widest))
		return
	case j.plan.Filtered && len(judged) == 0:
		return // not about this selection
	case covered == 0:
		j.Mistaken = append(j.Mistaken, fmt.Errorf("%s: %s matches no case%s", e.at, e.Case, j.hint(e.Case)))
		return
	case len(judged) == 0 && j.report.Stopped == "":
		j.Mistaken = append(j.Mistaken, fmt.Errorf("%s: %s is judged in no case that %s matches", e.at, e.Rule, e.Case))
		return
	}
	j.compare(e, judged)
}

// reach returns how many cases an entry covers, and of how many scenarios.
func (j *judging) reach(e *Entry) (cases, scenarios int) {
	seen := map[string]bool{}
	for _, c := range j.plan.Cases {
		if trace.MatchesAny([]string{e.Case}, c.ID()) {
			cases++
			seen[c.Scenario] = true
		}
	}
	return cases, len(seen)
}

// compare compares an entry with the cases in which its rule was judged.
func (j *judging) compare(e *Entry, judged []string) {
	var passed, other []string
	message := ""
	for _, id := range judged {
		f := j.at[place{e.Rule, id}]
		if f == nil {
			passed = append(passed, id)
			continue
		}
		f.expected = true
		if f.follows {
			continue // it is expected wherever its cause is, whatever it says
		}
		if m := f.otherThan(e.Message); m != "" {
			f.expected = false
			other, message = append(other, id), m
		}
	}
	stale := func(format string, args ...any) {
		j.Stale = append(j.Stale, fmt.Errorf("%s: %s "+format, append([]any{e.at, e.Rule}, args...)...))
	}
	if len(other) > 0 {
		stale("fails in %s with another message\nexpected %s\nactual %s", some(other), e.Message, message)
	}
	switch {
	case len(passed) == len(judged) && len(passed) > 0:
		stale("passes in %s: take the entry off the list", some(passed))
	case len(passed) > 0:
		stale("passes in %s: narrow the pattern %s", some(passed), e.Case)
	}
}

// verdicts returns the cases that an entry covers and in which its rule came to a verdict that
// tells something: passed or failed, or untested where it was tested nowhere.
func (j *judging) verdicts(e *Entry) []string {
	var ids []string
	for _, c := range j.report.Cases {
		v := c.Verdicts[e.Rule]
		told := v == trace.Passed || v == trace.Failed || v == trace.Untested && j.at[place{e.Rule, c.ID}] != nil
		if told && trace.MatchesAny([]string{e.Case}, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// hint names the pattern that may have been meant.
func (j *judging) hint(pattern string) string {
	var ids []string
	for _, c := range j.plan.Cases {
		ids = append(ids, c.ID())
	}
	return trace.PatternHint(pattern, ids)
}

// some names the first of some cases, and how many more there are.
func some(ids []string) string {
	if len(ids) == 1 {
		return ids[0]
	}
	return fmt.Sprintf("%s and %d more", ids[0], len(ids)-1)
}
