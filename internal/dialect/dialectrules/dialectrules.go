// Package dialectrules lists the rules that are about one dialect alone, or about few. Each dialect
// has them in a package of its own; one that another dialect describes it names by its id.
package dialectrules

import (
	"sync"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/dialect/chat/chatrules"
	"github.com/loopproof/loopproof/internal/dialect/cohere/cohererules"
	"github.com/loopproof/loopproof/internal/dialect/converse/converserules"
	"github.com/loopproof/loopproof/internal/dialect/gemini/geminirules"
	"github.com/loopproof/loopproof/internal/dialect/interactions/interactionsrules"
	"github.com/loopproof/loopproof/internal/dialect/messages/messagesrules"
	"github.com/loopproof/loopproof/internal/dialect/ollama/ollamarules"
	"github.com/loopproof/loopproof/internal/dialect/responses/responsesrules"
	"github.com/loopproof/loopproof/internal/rules"
)

// All returns the rules of each dialect, in the order of the dialects. A rule that several have is
// among those of the first.
func All() [][]rules.Rule {
	readForms()
	return rules.Joined(
		chatrules.Rules(), messagesrules.Rules(), responsesrules.Rules(), geminirules.Rules(), converserules.Rules(), ollamarules.Rules(), interactionsrules.Rules(),
		cohererules.Rules(),
	)
}

// readForms reads the forms of all dialects at the same time, since that takes longer than all else.
func readForms() {
	var reading sync.WaitGroup
	for _, d := range dialect.Known() {
		if d.Form != nil {
			reading.Go(func() { d.Form() })
		}
	}
	reading.Wait()
}
