// Package images holds the rules that say how images that tools return reach the model.
package images

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
