// Package limits holds the rules that say how the limits of a task are kept.
package limits

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
