// Package history has the rules about the conversation in each request: what has to be there, and
// what must not be added or changed.
package history

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, systemRules, promptRules, toolRules, schemaRules, turnRules, addedRules, addedPromptRules, memoryRules, orderRules, keyRules, keptRules, summaryRules)
