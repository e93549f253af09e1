// Package messages holds the faults and variations that are about the bytes of Messages.
package messages

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults.
func Faults() []raw.Fault {
	return slices.Concat(egress, compactions, ofForm(), images, reasoning, stream, gateways, arguments, execution)
}

// ofForm returns the faults that break the form. The mark beside the messages is judged where there
// is one: the clouds have no such key.
func ofForm() []raw.Fault {
	all := raw.OfForm(messages.Form(), "egress/form-messages-", mutated)
	for i := range all {
		if strings.HasPrefix(mutated[i], "cache_control") {
			all[i].Profiles = []string{"anthropic"}
		}
	}
	return all
}

// Variations returns the variations.
func Variations() []raw.Variation {
	return slices.Concat(variationsInAnswers, variationsInCaching, variationsInCompaction, variationsInHTTP, variationsInParameters, variationsInPrompts, variationsInResults, variationsInSystem, variationsInTools, variationsInTurns)
}
