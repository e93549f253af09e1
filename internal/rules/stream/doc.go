// Package stream has the rules about reading streams.
package stream

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, callRules, eventRules, togetherRules, byteRules, usageRules)
