package profiles

import (
	"sync"

	"github.com/loopproof/loopproof/wire"
	"github.com/loopproof/loopproof/wire/chat"
	"github.com/loopproof/loopproof/wire/messages"
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

// AllQuirks returns the quirks of all dialects. No two have one name.
func AllQuirks() []wire.Quirk {
	var all []wire.Quirk
	for _, dialect := range Dialects() {
		all = append(all, QuirksIn(dialect)...)
	}
	return all
}

// QuirkNamed returns the quirk of a name, and false when there is none.
func QuirkNamed(name string) (wire.Quirk, bool) {
	q, known := quirksByName()[name]
	return q, known
}

// quirksByName is made once: every compiled script looks its quirks up.
var quirksByName = sync.OnceValue(func() map[string]wire.Quirk {
	byName := map[string]wire.Quirk{}
	for _, q := range AllQuirks() {
		byName[q.Name] = q
	}
	return byName
})
