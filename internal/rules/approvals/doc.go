// Package approvals has the rules about calls that the user has to approve before the loop runs
// them.
package approvals

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
