// Package reasoning holds the rules that say which reasoning of the model goes back, and how.
package reasoning

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, plainRules, blockRules, placeRules, signatureRules)
