package agreement

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/loopproof/loopproof/fixtures"
)

// Body is one request that real servers and the mock provider are both asked.
type Body struct{ fixtures.Request }

// Digest identifies the bytes of the request, so that an answer to an older version of it is
// noticed.
func (b Body) Digest() string {
	sum := sha256.Sum256(b.Body)
	return hex.EncodeToString(sum[:6])
}

// Classes returns the classes of bodies, in the order of the table. Bodies of the class good are
// requests that a correct loop sends; those of the others each differ from one of them in one
// point.
func Classes() []string {
	return []string{"good", "pairing", "ids", "roles", "content", "calls", "tools", "parameters", "form"}
}

// Bodies returns the requests of a dialect, those of a class together.
func Bodies(dialect string) []Body { return bodies()[dialect] }

var bodies = sync.OnceValue(func() map[string][]Body {
	requests, err := fixtures.Requests()
	if err != nil {
		panic(err) // they are embedded, and a test reads them
	}
	all := map[string][]Body{}
	for _, r := range requests {
		all[r.Dialect] = append(all[r.Dialect], Body{r})
	}
	for _, of := range all {
		slices.SortStableFunc(of, func(a, b Body) int {
			return cmp.Compare(slices.Index(Classes(), a.Class()), slices.Index(Classes(), b.Class()))
		})
	}
	return all
})
