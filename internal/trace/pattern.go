package trace

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/suggest"
)

// patternSigns are the signs of which a pattern has at least one.
const patternSigns = `*?[{\`

// IsPattern reports whether a word may match others than itself.
func IsPattern(word string) bool { return strings.ContainsAny(word, patternSigns) }

// MatchesPattern reports whether the id of a case, of a rule or the like matches a pattern with a *
// or the like. In the id of a case the @ is a step of its own, so that "pairing/single-call@**"
// means all its cases.
func MatchesPattern(pattern, word string) bool {
	ok, _ := doublestar.Match(steps(pattern), steps(word)) // a pattern is checked where it is read
	return ok
}

// MatchesAny reports whether a word is one of some words, or matches one of them as a pattern. No
// words match everything.
func MatchesAny(patterns []string, word string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		return p == "**" || p == word || IsPattern(p) && MatchesPattern(p, word)
	})
}

// PatternHint returns the words that a pattern which matches none of them may have been meant for,
// as in `; did you mean "pairing/*"?`, or "".
func PatternHint(pattern string, known []string) string {
	return suggest.PatternHint(pattern, known, func(pattern, word string) bool { return MatchesAny([]string{pattern}, word) })
}

func steps(id string) string { return strings.ReplaceAll(id, "@", "/@/") }
