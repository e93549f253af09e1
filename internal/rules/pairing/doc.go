// Package pairing has the rules about calls and their results: every call has its result, and every
// result its call.
package pairing

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, idRules)
