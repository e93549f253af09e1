// Package arguments holds the rules that say what becomes of the arguments of a call.
package arguments

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, streamRules)
