// Package models has the rules about a conversation that goes on with another model: one that the
// loop falls back to, or that the user chooses.
package models

import "slices"

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, apiRules)
