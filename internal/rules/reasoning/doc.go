// Package reasoning has the rules about sending the model's reasoning back.
package reasoning

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, plainRules, blockRules, placeRules, signatureRules)
