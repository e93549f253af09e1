// Package limits has the rules about the limits of a task.
package limits

import "slices"

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, budgetRules)
