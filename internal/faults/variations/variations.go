// Package variations holds what correct loops do otherwise than the reference loop, with a file for
// each axis on which they differ.
package variations

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
)

// All returns the variations that are about no dialect, axis by axis.
func All() []hooks.Variation {
	return slices.Concat(
		prompts, systemPrompts, turns, results,
		tools, parameters,
		inJSON, inHTTP, answers,
		execution, approvals, steering, programs, anotherModel, anotherAPI, subAgents, overSockets, overMCP, compactions, compactionsByTheProvider, sessions, retries, endings, budgets, outcomes, inForm, records, keepsFinalCalls(),
	)
}
