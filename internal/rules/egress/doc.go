// Package egress holds the rules that say what form a request has.
package egress

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, requestRules, toolRules, parameterRules, parameterTypeRules)
