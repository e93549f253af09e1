package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
)

// The dialects of rules that are not about all of them.
var (
	onlyChat     = []string{chat.Dialect}
	onlyMessages = []string{messages.Dialect}
)

// In reports whether the rule is about a dialect.
func (r *Rule) In(dialect string) bool {
	return len(r.Dialects) == 0 || slices.Contains(r.Dialects, dialect)
}
