package hooks

import (
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
)

// playedIn reports whether a rule can be judged in a dialect: an invariant in every scenario, and
// another in those that list it, of which not every dialect can say all.
func playedIn(r *rules.Rule, dialect string) bool {
	return r.Invariant || slices.Contains(listed()[r.ID], dialect)
}

// listed returns the dialects in which each rule is listed by a scenario that is played there.
var listed = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	embedded, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		panic(err) // the embedded scenarios are tested to be right
	}
	for _, p := range profiles.All() {
		for _, s := range embedded {
			if !s.PlayedUnder(p) {
				continue
			}
			for _, id := range s.Rules {
				if !slices.Contains(all[id], p.Dialect) {
					all[id] = append(all[id], p.Dialect)
				}
			}
		}
	}
	return all
})
