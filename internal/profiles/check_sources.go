package profiles

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"sync"
)

// sources reports sources and pages that nobody can look up. Those that the profile inherited were
// reported in the other one.
func (c *checker) sources() {
	c.canBeLookedUp("/docs", c.p.Docs)
	c.canBeLookedUp("/reasoning/sources", c.p.Reasoning.Sources)
	c.canBeLookedUp("/forms/answers/sources", c.p.Forms.Answers.Sources)
	c.canBeLookedUp("/forms/errors/sources", c.p.Forms.Errors.Sources)
	c.canBeLookedUp("/images/sources", c.p.Images.Sources)
	for _, shown := range c.p.Quirks {
		c.canBeLookedUp("/quirks/"+shown.Name+"/sources", shown.Sources)
	}
	for _, key := range slices.Sorted(maps.Keys(c.p.NotBoundBy)) {
		c.canBeLookedUp("/not-bound-by/"+key+"/sources", c.p.NotBoundBy[key].Sources)
	}
	for _, r := range c.p.Refuses {
		if r.Place != inherited {
			c.canBeLookedUp(r.Place+"/sources", r.Sources)
		}
	}
}

func (c *checker) canBeLookedUp(at string, sources []string) {
	for i, source := range sources {
		c.expect(isPlace(source), fmt.Sprintf("%s/%d", at, i),
			"%q cannot be looked up: a source is the URL of a page, or a repository or a file in it, such as owner/name or records/answer.json", source)
	}
}

// repository is a repository or a file: words with a slash between them.
var repository = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w.~@-]+(/[\w.~@:#+=-]+)+$`) })

// isPlace reports whether a source says where something is.
func isPlace(source string) bool {
	if u, err := url.Parse(source); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return u.Host != ""
	}
	return repository().MatchString(source)
}
