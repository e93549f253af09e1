package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// PatternHint is [Hint] for a pattern of words in parts, such as area/name or
// SCENARIO@DIALECT/PROFILE, that matches none of the known words: each part without a sign is
// replaced by the nearest one in its place, and an asterisk at its end stays. The hint is empty
// where what comes out matches nothing.
func PatternHint(pattern string, known []string, matches func(pattern, word string) bool) string {
	mended := strings.Join(mend(split(pattern), known), "")
	if mended != pattern && slices.ContainsFunc(known, func(word string) bool { return matches(mended, word) }) {
		return fmt.Sprintf(" (did you mean %q?)", mended)
	}
	return Hint(pattern, known)
}

// separators are between the parts of a word.
const separators = "/@"

// split returns the parts of a word and what is between them: "area", "/", "name".
func split(word string) (parts []string) {
	for {
		at := strings.IndexAny(word, separators)
		if at < 0 {
			return append(parts, word)
		}
		parts = append(parts, word[:at], word[at:at+1])
		word = word[at+1:]
	}
}

// mend replaces the parts that no known word has in their place by those that are nearest.
func mend(parts, known []string) []string {
	mended := slices.Clone(parts)
	for i, part := range parts {
		plain := strings.TrimRight(part, "*")
		if i%2 == 1 || plain == "" || strings.ContainsAny(plain, "*?[]{}") {
			continue
		}
		var there []string // what the known words have in this place
		for _, word := range known {
			if has := split(word); i < len(has) {
				there = append(there, has[i])
			}
		}
		begins := func(word string) bool { return word == plain || part != plain && strings.HasPrefix(word, plain) }
		if near, ok := Word(plain, there); ok && !slices.ContainsFunc(there, begins) {
			mended[i] = near + part[len(plain):]
		}
		if strings.Contains(part, "**") {
			break // what follows may be anywhere
		}
	}
	return mended
}
