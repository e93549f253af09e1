// Package compaction has the rules about loops that make their history shorter, so that requests
// stay below a limit of tokens. How they do so is their own choice: by a summary that they ask the
// model for, a window over the newest turns, by clearing old results, or by leaving it to the
// provider. What goes back is judged
// by the rules of the other areas.
package compaction

import "slices"

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, providerRules)
