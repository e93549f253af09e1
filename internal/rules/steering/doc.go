// Package steering has the rules about a prompt that the user says while the tools of a turn run.
package steering

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
