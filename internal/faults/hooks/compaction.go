package hooks

import "github.com/loopproof/loopproof/internal/refloop/neutral"

// IsCompaction reports whether a part is what the provider gave in place of the history.
func IsCompaction(p neutral.Part) bool { return IsForeign(p, "compaction") }

// EachCompaction changes what the provider gave in place of the history, where it goes back.
func EachCompaction(change func(*neutral.Object)) func() Mutation {
	return OnRequest(func(r *Request) {
		EachPart(r, func(p *neutral.Foreign) {
			if IsCompaction(p) {
				keys := neutral.Keys(p.Raw)
				change(keys)
				p.Raw = keys.JSON()
			}
		})
	})
}
