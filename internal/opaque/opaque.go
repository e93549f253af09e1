// Package opaque lets a public type hold a value of an internal type, which no other module can
// take out. The public type embeds a [Box] under a name of its own:
//
//	type box = opaque.Box[*profiles.Profile]
//
//	type Profile struct{ box }
//
//	p := &Profile{opaque.Of(inner)}
//	inner := opaque.Open(p)
package opaque

// Box holds a value. It has no exported fields or methods, and so adds none to the type that embeds
// it.
type Box[T any] struct{ value T }

// Of returns a box that holds a value.
func Of[T any](value T) Box[T] { return Box[T]{value} }

// Holder is a pointer to a type that embeds a [Box], or the box itself.
type Holder[T any] interface{ open() T }

func (b Box[T]) open() T { return b.value }

// Open returns what a box holds.
func Open[T any](h Holder[T]) T { return h.open() }
