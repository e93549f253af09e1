package knownfailing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// entryText is how an [Entry] is written.
type entryText struct {
	Rule    string `yaml:"rule"`
	Case    string `yaml:"case"`
	Message string `yaml:"message,omitempty"`
	Reason  string `yaml:"reason"`
}

// EntriesFor returns the entries of a known-failing list for some failures of a report. They are
// complete except for the reasons, which only people know. An entry covers as many of the failures
// as one pattern can without covering anything else. A pattern covers several scenarios only if all
// cases were played.
func EntriesFor(r *report.Report, p Plan, of []Failure) string {
	var list []entryText
	for _, id := range rulebook.IDs() {
		failing := map[string]Failure{}
		for _, f := range of {
			if f.Rule == id && f.Case != "" {
				failing[f.Case] = f
			}
		}
		if len(failing) > 0 {
			list = append(list, entries(r, p, id, failing)...)
		}
	}
	return written(list)
}

// written returns entries as they are in a list.
func written(list []entryText) string {
	if len(list) == 0 {
		return ""
	}
	text, err := yaml.Dump(list, yaml.WithLineWidth(-1))
	if err != nil {
		return fmt.Sprintf("# %v\n", err) // only texts are written
	}
	return string(text)
}

// entries returns the entries for one rule.
func entries(r *report.Report, p Plan, rule string, failing map[string]Failure) []entryText {
	w := &writing{report: r, rule: rule, open: maps.Clone(failing)}
	var list []entryText
	if !p.Filtered && r.Shard == nil {
		list = w.wideEntries()
	}
	for i := range r.Cases {
		if c := &r.Cases[i]; w.isOpen(c.ID) {
			list = append(list, w.narrowEntry(c))
		}
	}
	return list
}

// writing is the entries for one rule being written.
type writing struct {
	report *report.Report
	rule   string
	open   map[string]Failure // those that no entry covers so far, by their cases
}

func (w *writing) isOpen(caseID string) bool {
	_, open := w.open[caseID]
	return open
}

// wideEntries returns entries that are about more than one scenario, the widest first, as far as
// there are any.
func (w *writing) wideEntries() []entryText {
	var list []entryText
	for {
		var best entryText
		var most []string
		for _, pattern := range w.widePatterns() {
			if e, covered, ok := w.wideEntry(pattern); ok && len(covered) > len(most) {
				best, most = e, covered
			}
		}
		if len(most) == 0 {
			return list
		}
		list = append(list, best)
		w.cover(most)
	}
}

// widePatterns returns the patterns by which failures in several scenarios can be described: by
// what they have in common of dialect, profile, delivery and area.
func (w *writing) widePatterns() []string {
	var patterns []string
	for i := range w.report.Cases {
		c := &w.report.Cases[i]
		if !w.isOpen(c.ID) {
			continue
		}
		area, _, _ := strings.Cut(c.Scenario, "/")
		for _, scenarios := range []string{"**", area + "/**"} {
			for _, rest := range []string{
				"**", c.Dialect + "/**", "*/*/" + c.Delivery, c.Dialect + "/*/" + c.Delivery,
				c.Dialect + "/" + c.Profile + "/**", c.Dialect + "/" + c.Profile + "/" + c.Delivery,
			} {
				if pattern := strings.TrimSuffix(scenarios+"@"+rest, "@**"); !slices.Contains(patterns, pattern) {
					patterns = append(patterns, pattern)
				}
			}
		}
	}
	return patterns
}

// wideEntry returns the entry with a pattern, and the open failures that it covers. It is false
// when the pattern is about one scenario, covers a case in which the rule passes or fails for what
// another entry says, or failures that have nothing of their messages in common: those have more
// than one cause.
func (w *writing) wideEntry(pattern string) (entryText, []string, bool) {
	var covered, messages []string
	scenarios := map[string]bool{}
	untested := slices.ContainsFunc(w.report.With(trace.Untested), func(r report.Rule) bool { return r.ID == w.rule })
	for i := range w.report.Cases {
		c := &w.report.Cases[i]
		if v := c.Verdicts[w.rule]; v == "" || !trace.MatchesAny([]string{pattern}, c.ID) {
			continue
		} else if f, open := w.open[c.ID]; open {
			covered = append(covered, c.ID)
			scenarios[c.Scenario] = true
			messages = append(messages, messagesOf(w.report, w.rule, f)...)
		} else if v == trace.Passed || v == trace.Untested && untested { // which another entry says
			return entryText{}, nil, false
		} else if v == trace.Failed && c.Because(w.rule) == "" {
			if fatal(w.report, c.LevelOf(w.rule)) {
				return entryText{}, nil, false
			}
			messages = append(messages, broken(w.report, c, w.rule).messages...)
		}
	}
	if len(scenarios) < 2 {
		return entryText{}, nil, false
	}
	begin := beginning(messages)
	return entryText{Rule: w.rule, Case: pattern, Message: begin}, covered, begin != ""
}

// narrowEntry returns the entry for a failure, and for others of the same scenario where one
// pattern covers them too.
func (w *writing) narrowEntry(c *report.Case) entryText {
	pattern, covered := w.widestPattern(c)
	var messages []string
	for _, id := range covered {
		messages = append(messages, messagesOf(w.report, w.rule, w.open[id])...)
	}
	w.cover(covered)
	return entryText{Rule: w.rule, Case: pattern, Message: beginning(messages)}
}

func (w *writing) cover(cases []string) {
	for _, id := range cases {
		delete(w.open, id)
	}
}

// messagesOf returns the messages of all findings that a failure is made of.
func messagesOf(r *report.Report, rule string, f Failure) []string {
	i := slices.IndexFunc(r.Cases, func(c report.Case) bool { return c.ID == f.Case })
	if c := &r.Cases[i]; c.Verdicts[rule] == trace.Failed {
		return broken(r, c, rule).messages
	}
	return []string{f.Message}
}

// widestPattern returns the first pattern for cases of one scenario that covers no case in which
// the rule passes, together with the failing cases that it covers.
func (w *writing) widestPattern(c *report.Case) (string, []string) {
	patterns := []string{
		c.Scenario + "@**",
		c.Scenario + "@" + c.Dialect + "/" + c.Profile + "/*",
		c.Scenario + "@" + c.Dialect + "/*/" + c.Delivery,
		delivered(c) + "/*",
		w.failingCuts(c),
	}
	for _, pattern := range patterns {
		var covered []string
		fits := true
		for _, other := range w.report.Cases {
			if other.Scenario != c.Scenario || !trace.MatchesAny([]string{pattern}, other.ID) {
				continue
			}
			if w.isOpen(other.ID) {
				covered = append(covered, other.ID)
			} else if other.Verdicts[w.rule] == trace.Passed {
				fits = false
			}
		}
		if fits && len(covered) > 1 {
			return pattern, covered
		}
	}
	return c.ID, []string{c.ID}
}

// delivered returns the id of a case without the place at which its stream is cut.
func delivered(c *report.Case) string {
	return c.Scenario + "@" + c.Dialect + "/" + c.Profile + "/" + c.Delivery
}

// failingCuts returns the pattern for the failing cases of one delivery that is cut in each of them
// at another place.
func (w *writing) failingCuts(c *report.Case) string {
	stem := delivered(c) + "/cut-"
	var places []string
	for _, other := range w.report.Cases {
		if place, is := strings.CutPrefix(other.ID, stem); is && w.isOpen(other.ID) {
			places = append(places, place)
		}
	}
	return stem + "{" + strings.Join(places, ",") + "}"
}

// beginning returns how some messages all begin, up to the first word that may differ from run to
// run: an id, a number, or something quoted. Where they begin with such words, each of those is *.
func beginning(messages []string) string {
	words := strings.Fields(messages[0])
	for _, m := range messages[1:] {
		other := strings.Fields(m)
		n := 0
		for n < len(words) && n < len(other) && (words[n] == other[n] || varies(words[n]) && varies(other[n])) {
			n++
		}
		words = words[:n]
	}
	first := slices.IndexFunc(words, func(word string) bool { return !varies(word) })
	if first < 0 {
		return ""
	}
	for i := range first {
		words[i] = anyWord
	}
	if n := slices.IndexFunc(words[first:], varies); n >= 0 {
		words = words[:first+n]
	}
	return strings.Join(words, " ")
}

// anyWord is in the message of an entry for a word, whichever it is.
const anyWord = "*"

// begins reports whether a message begins as an entry says.
func begins(message, entry string) bool {
	if strings.HasPrefix(message, entry) {
		return true
	}
	words, want := strings.Fields(message), strings.Fields(entry)
	for i, w := range want {
		if i >= len(words) || w != anyWord && w != words[i] && !(i == len(want)-1 && strings.HasPrefix(words[i], w)) {
			return false
		}
	}
	return strings.Contains(entry, anyWord)
}

func varies(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.IsDigit(r) || r == '"' || r == '_' }) || isLetterID(word) || !utf8.ValidString(word) // which no list can hold
}

// isLetterID reports whether a word may be an id of letters alone, as Gemini's ids sometimes are:
// hrOyflBo.
func isLetterID(word string) bool {
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
