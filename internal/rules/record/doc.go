// Package record has the rules about the transcripts and events that a loop returns.
package record

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(handedOverRules, turnRules, resultRules, errorMarkRules, openAgentLoopRules, formRules, aguiRules, otelRules, eventRules, timeRules)
