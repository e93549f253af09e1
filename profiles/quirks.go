package profiles

import (
	"sync"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
)

// QuirksIn returns the quirks that answers in a dialect may have.
func QuirksIn(dialect string) []wire.Quirk {
	switch dialect {
	case chat.Dialect:
		return chat.Quirks()
	case messages.Dialect:
		return messages.Quirks()
	default:
		return nil
	}
}

// AllQuirks returns the quirks of all dialects. Of one that several dialects have, it is that of the first.
func AllQuirks() []wire.Quirk {
	var all []wire.Quirk
	known := map[string]bool{}
	for _, dialect := range Dialects() {
		for _, q := range QuirksIn(dialect) {
			if !known[q.Name] {
				all = append(all, q)
			}
			known[q.Name] = true
		}
	}
	return all
}

// QuirkNamed returns the quirk of a name, and false when there is none. One that several dialects have is the same in all
// of them but for how it is written.
func QuirkNamed(name string) (wire.Quirk, bool) {
	for _, dialect := range Dialects() {
		if q, known := QuirkIn(dialect, name); known {
			return q, true
		}
	}
	return wire.Quirk{}, false
}

// QuirkIn returns the quirk of a name as it is written in a dialect, and false when the dialect has none of that name.
func QuirkIn(dialect, name string) (wire.Quirk, bool) {
	q, known := quirksByName()[quirkKey{dialect, name}]
	return q, known
}

type quirkKey struct{ dialect, name string }

// quirksByName is made once: every compiled script looks its quirks up.
var quirksByName = sync.OnceValue(func() map[quirkKey]wire.Quirk {
	byName := map[quirkKey]wire.Quirk{}
	for _, dialect := range Dialects() {
		for _, q := range QuirksIn(dialect) {
			byName[quirkKey{dialect, q.Name}] = q
		}
	}
	return byName
})
