// Package execution holds the rules that say which calls are run, how often, in which order, and what the model is told of them.
package execution

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, orderRules)
