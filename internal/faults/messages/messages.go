// Package messages holds the faults and variations that are about the bytes of Messages.
package messages

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults.
func Faults() []raw.Fault {
	return slices.Concat(egress, compactions, raw.OfForm(messages.Form, "egress/form-messages-", mutated), images, reasoning, stream, gateways, arguments, execution)
}

// Variations returns the variations.
func Variations() []raw.Variation {
	return slices.Concat(variationsInAnswers, variationsInCaching, variationsInCompaction, variationsInHTTP, variationsInParameters, variationsInPrompts, variationsInResults, variationsInSystem, variationsInTools, variationsInTurns)
}
