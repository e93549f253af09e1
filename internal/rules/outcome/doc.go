// Package outcome holds the rules that say what a loop reports to its caller.
package outcome

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, usageRules)
