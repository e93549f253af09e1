// Package arguments has the rules about the arguments of calls.
package arguments

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, streamRules)
