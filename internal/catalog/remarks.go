package catalog

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/suggest"
)

// Remarks returns what is odd about a profile of one's own, and no error: what its readers miss,
// and values of violations that no profile of Loopproof has, although one is much like it. Which
// values a rule has is written nowhere, so that they may be right.
func Remarks(p *profiles.Profile) []error {
	remarks := p.BadStyle()
	known := selectedValues()
	p.Selected(func(at, rule, name, value string) {
		values := append(slices.Clone(known[selector{rule, name}]), kinds...)
		near, found := suggest.Word(value, values)
		if found && !slices.Contains(values, value) {
			remarks = append(remarks, p.Errorf(at, "%s may never be %q (did you mean %q?)", name, value, near))
		}
	})
	return remarks
}

// selector is a value by which the violations of a rule are described.
type selector struct{ rule, name string }

// selectedValues returns which values the profiles of Loopproof have.
func selectedValues() map[selector][]string {
	known := map[selector][]string{}
	for _, p := range profiles.All() {
		p.Selected(func(_, rule, name, value string) {
			at := selector{rule, name}
			known[at] = append(known[at], value)
		})
	}
	return known
}

// kinds are the words for the types of values in a request.
var kinds = []string{
	"nothing", "null", "a string", "an empty string", "a number", "an integer", "a decimal number", "a boolean",
	"an object", "an empty object", "an array", "an empty array",
}
