// Package suggest finds the known word that is most similar to an unknown one.
//
//	return fmt.Errorf("unknown profile %q%s", name, suggest.Hint(name, known))
package suggest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Word returns the known word that is nearest to the given one, and false when none is near: when
// one letter and a third of all letters more would have to change, and no known word has its parts,
// as parallel-calls has parallel. Capitals do not count.
func Word(word string, known []string) (string, bool) {
	best, nearest := "", utf8.RuneCountInString(word)/3+2
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); d < nearest {
			best, nearest = k, d
		}
	}
	if best == "" {
		best = withParts(parts(word), known)
	}
	return best, best != ""
}

// IsSlip reports whether a word is evidently meant for one of some: it is long, and no more than
// two letters have to change.
func IsSlip(word string, known []string) bool {
	return utf8.RuneCountInString(word) >= longWord && slices.ContainsFunc(known, func(k string) bool { return levenshtein.ComputeDistance(word, k) <= 2 })
}

// longWord is how long a word is that is like another one by no accident.
const longWord = 6

// withParts returns the shortest known word of which each of some parts begins one, or "".
func withParts(given, known []string) string {
	best := ""
	for _, k := range known {
		has := parts(k)
		all := len(given) > 0
		for _, part := range given {
			all = all && len(part) >= shortestPart && slices.ContainsFunc(has, func(h string) bool { return strings.HasPrefix(h, part) })
		}
		if all && (best == "" || len(k) < len(best)) {
			best = k
		}
	}
	return best
}

// shortestPart is how long a part is that says what was meant.
const shortestPart = 4

func parts(word string) []string {
	return strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Hint returns ` (did you mean "x"?)`, ready to be put into an error, or "" when no known word is
// near. A word that is known itself needs none: so checks may prepare their errors before they know
// whether there is one.
func Hint(word string, known []string) string {
	if slices.Contains(known, word) {
		return ""
	}
	if near, ok := Word(word, known); ok {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
