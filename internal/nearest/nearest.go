// Package nearest guesses which known word somebody meant who wrote an unknown one.
package nearest

import (
	"fmt"

	"github.com/agnivade/levenshtein"
)

// Word returns the known word that is nearest to the given one, and false when none is near: more than a third of
// the letters would have to change.
func Word(word string, known []string) (string, bool) {
	best, distance := "", len(word)/3+2
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, k); d < distance {
			best, distance = k, d
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
