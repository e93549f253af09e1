// Package retry has the rules about retries: when a failed request is sent again, how often, and
// after which time.
package retry

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(atAllRules, whichRules, waitRules)
