// Package execution has the rules about running tools: which calls are run, how often, in which
// order, and what the model gets as their results.
package execution

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, orderRules, pollingRules, digitRules, blockRules)
