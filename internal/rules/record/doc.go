// Package record holds the rules that say what is in the transcripts and events that a loop hands over.
package record

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(handedOverRules, turnRules, resultRules, errorMarkRules, openAgentLoopRules, formRules, eventRules, timeRules)
