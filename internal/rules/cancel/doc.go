// Package cancel has the rules about cancelled runs.
package cancel

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
