package faults

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// quoted is what others said: texts and names in quotes, and the bodies of answers.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|: \{.*`)

// foreignWords returns the findings that speak of something in the word of another dialect, apart
// from what they quote. Records have a form of their own, and a quirk may be a habit of another
// API.
func foreignWords(r *report.Report) (problems []string) {
	seen := map[string]bool{} // most cases of a fault say the same
	for _, c := range r.Cases {
		own := dialect.Named(c.Dialect)
		for _, f := range c.Findings {
			if strings.HasPrefix(f.Rule, "record/") {
				continue
			}
			for _, text := range []string{f.Message, f.Expected, f.Answered} {
				key := c.Dialect + " " + text
				if seen[key] {
					continue
				}
				seen[key] = true
				if word := foreignWord(own, text); word != "" {
					problems = append(problems, fmt.Sprintf("%s %s speaks of %s: %s", c.ID, f.Rule, word, text))
				}
			}
		}
	}
	return problems
}

// foreignWord returns a word that only other dialects have, or "".
func foreignWord(own *wire.Dialect, text string) string {
	for _, q := range own.AllQuirks() {
		text = strings.ReplaceAll(text, q.Does, "")
	}
	text = quoted.ReplaceAllString(text, "")
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;:()'", r) })
	for _, d := range dialect.All() {
		for _, term := range d.Terms.All() {
			if known := slices.Concat(own.Terms.All(), own.Keys()); !slices.Contains(known, term) && slices.Contains(words, term) {
				return term
			}
		}
	}
	return ""
}
