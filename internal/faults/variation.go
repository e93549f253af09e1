package faults

import (
	"slices"

	"github.com/loopproof/loopproof/protocol"
)

// Variation is something that a correct loop does otherwise than the reference loop. It is the counterpart of a fault: it
// breaks no rule. A rule that a variation breaks demands more than is owed.
type Variation struct {
	// Name is "what-the-loop-does".
	Name string

	// Does says in a sentence what the loop does.
	Does string

	// Sources say that it is right: a loop that many use and that does so, or the provider's documentation.
	Sources []string

	// Profiles are patterns of the profiles whose providers take it; none means all of chat.
	Profiles []string

	// Dialect is the wire API in which the loop does so; "" is chat.
	Dialect string

	// Without are features that the loop does not claim.
	Without []protocol.Feature

	// Make returns the changes for one task.
	Make func() Changes
}

// Variations returns all variations.
func Variations() []Variation {
	return slices.Concat(variationsInRequests, variationsInRuns, variationsInMessages)
}
