// Package finish holds the rules that say how a loop handles the reason why an answer ended.
package finish

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, restRules, oddFinishRules)
