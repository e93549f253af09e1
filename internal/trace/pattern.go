package trace

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
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

// DeliveryNames returns the names of a delivery in patterns: its own, and that of the delivery of
// server-sent events in which bytes are cut alike, so that sse* stands for every stream.
func DeliveryNames(d wire.Delivery) []string {
	if like := d.Like(); like != d {
		return []string{string(d), string(like)}
	}
	return []string{string(d)}
}

// MatchesDelivery is [MatchesAny] for one of the [DeliveryNames].
func MatchesDelivery(patterns []string, d wire.Delivery) bool {
	return slices.ContainsFunc(DeliveryNames(d), func(name string) bool { return MatchesAny(patterns, name) })
}

// PatternHint returns the words that a pattern which matches none of them may have been meant for,
// as in `; did you mean "pairing/*"?`, or "".
func PatternHint(pattern string, known []string) string {
	return suggest.PatternHint(pattern, known, func(pattern, word string) bool { return MatchesAny([]string{pattern}, word) })
}

func steps(id string) string { return strings.ReplaceAll(id, "@", "/@/") }
