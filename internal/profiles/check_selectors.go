package profiles

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// selectors reports other words for violations that are never used: of violations that are not
// refused, or for which others come first.
func (c *checker) selectors(at string, r Refusal) {
	for i, other := range r.Instead {
		here := fmt.Sprintf("%s/instead/%d/when", at, i)
		c.expect(len(r.Only) == 0 || slices.ContainsFunc(r.Only, other.mayBeOf), here,
			"these words are never used: only violations are refused where %s", r.Where())
		for j, earlier := range r.Instead[:i] {
			c.expect(len(earlier.When) == 0 || !contains(other.When, earlier.When), here,
				"these words are never used: those of instead/%d are for the same violations, and come first", j)
		}
	}
}

// mayBeOf reports whether some violation that is described so is one that the words are for.
func (o Otherwise) mayBeOf(described violations) bool {
	for name, value := range o.When {
		if values, named := described[name]; named && !slices.Contains(values, value) {
			return false
		}
	}
	return true
}

// contains reports whether a mapping has all that another one has.
func contains(all, some map[string]string) bool {
	for name, value := range some {
		if other, has := all[name]; !has || other != value {
			return false
		}
	}
	return true
}

// Selected calls yield for each value by which the profile itself, and not the one that it is like,
// tells violations of a rule apart, with its place in the file.
func (p *Profile) Selected(yield func(at, rule, name, value string)) {
	for _, r := range p.Refuses {
		if r.Place == inherited {
			continue
		}
		for _, described := range r.Only {
			for _, name := range slices.Sorted(maps.Keys(described)) {
				for _, value := range described[name] {
					yield(r.Place+"/only", r.Rule, name, value)
				}
			}
		}
		for i, other := range r.Instead {
			for _, name := range slices.Sorted(maps.Keys(other.When)) {
				yield(fmt.Sprintf("%s/instead/%d/when/%s", r.Place, i, name), r.Rule, name, other.When[name])
			}
		}
	}
}

// BadStyle returns what a reader of the profile misses, with its places in the file. The profile
// works without it.
func (p *Profile) BadStyle() (remarks []error) {
	if strings.TrimSpace(p.About) == "" {
		remarks = append(remarks, p.Errorf("/title", "about is missing: what distinguishes the provider, in a sentence or two"))
	}
	if len(p.Docs) == 0 {
		remarks = append(remarks, p.Errorf("/title", "docs is missing: the pages that describe the API of the provider"))
	}
	return remarks
}
