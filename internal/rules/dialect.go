package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
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

// ReasoningShown reports whether an answer to the request shows the model's reasoning, where it has any. In the dialect
// messages the client has to ask for it.
func ReasoningShown(req *wire.Request) bool {
	return req.Dialect != messages.Dialect || messages.ThinkingWanted(req)
}
