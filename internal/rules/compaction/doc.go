// Package compaction has the rules about loops that make their history shorter, so that requests
// stay below a limit of tokens. How they do so is their own choice: by a summary that they ask the
// model for, a window over the newest turns, or by clearing old results. What goes back is judged
// by the rules of the other areas.
package compaction

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
