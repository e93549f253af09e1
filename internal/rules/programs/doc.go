// Package programs has the rules about code of the provider that calls the tools of a loop.
package programs

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
