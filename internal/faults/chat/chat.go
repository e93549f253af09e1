// Package chat holds the faults and variations that are about the bytes of Chat Completions.
package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults.
func Faults() []raw.Fault {
	return slices.Concat(arguments, egress, execution, failure, finish, images, pairing, reasoning, stream, streamCalls)
}

// Variations returns the variations.
func Variations() []raw.Variation {
	return slices.Concat(variationsInCaching, variationsInHTTP, variationsInTools, variationsInParameters, variationsInPrompts, variationsInResults, variationsInSystem, variationsInTurns)
}
