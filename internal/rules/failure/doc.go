// Package failure holds the rules that say how a loop handles answers that are errors, or none.
package failure

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(answerRules, bodyRules, connectionRules, damageRules, placeRules, resumedRules)
