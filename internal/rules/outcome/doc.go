// Package outcome has the rules about what a loop reports to its caller.
package outcome

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, ownFailureRules, usageRules, schemaRules)
