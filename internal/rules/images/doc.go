// Package images has the rules about images that tools return.
package images

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
