package profiles

import (
	"slices"

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
	all := AllQuirks()
	i := slices.IndexFunc(all, func(q wire.Quirk) bool { return q.Name == name })
	if i < 0 {
		return wire.Quirk{}, false
	}
	return all[i], true
}
