// Package chat holds the faults and variations that are about the bytes of Chat Completions.
package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults.
func Faults() []raw.Fault {
	return slices.Concat(arguments, egress, raw.OfForm(chat.Form(), "egress/form-", mutated), execution, failure, finish, images, pairing, reasoning, stream, streamCalls)
}

// mutated are nodes of the form, with a keyword, that a fault breaks in each request that has a
// place for it. Those that are not here break more than one rule when a loop breaks them in all of
// its requests, ask for what some provider does not know, or have a fault in the other files, as
// they were seen.
var mutated = []string{
	"messages[](tool) keys", "messages[](tool) forbidden", "messages[](calling assistant).tool_calls[](function).function keys",
	"metadata.* type", "metadata maxProperties", "prediction.type enum", "response_format.type enum", "tools[](function).type required",
}

// Variations returns the variations.
func Variations() []raw.Variation {
	return slices.Concat(variationsInCaching, variationsInHTTP, variationsInTools, variationsInParameters, variationsInPrompts, variationsInResults, variationsInSystem, variationsInTurns)
}
