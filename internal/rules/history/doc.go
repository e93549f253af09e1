// Package history holds the rules that say what of a conversation goes with every request, and what must not be added or changed.
package history

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, addedRules, addedPromptRules, memoryRules, orderRules, keptRules)
