// Package cancel holds the rules that say what a loop does when its user cancels.
package cancel

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
