// Package nearest guesses which known word somebody meant who wrote an unknown one.
//
//	return fmt.Errorf("unknown profile %q%s", name, nearest.Hint(name, known))
package nearest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Word returns the known word that is nearest to the given one, and false when none is near: when one letter and a
// third of all letters more would have to change. Capitals do not count.
func Word(word string, known []string) (string, bool) {
	best, nearest := "", utf8.RuneCountInString(word)/3+2
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); d < nearest {
			best, nearest = k, d
		}
	}
	return best, best != ""
}

// Hint returns ` (did you mean "x"?)`, ready to be put into an error, or "" when no known word is near.
func Hint(word string, known []string) string {
	if near, ok := Word(word, known); ok {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
