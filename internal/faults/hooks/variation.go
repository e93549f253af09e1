package hooks

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Variation is something that a correct loop does otherwise than the reference loop. It is the
// counterpart of a fault: it breaks no rule. A rule that a variation breaks is too strict.
type Variation struct {
	// Name is "axis/what-the-loop-does".
	Name string

	// Does says in a sentence what the loop does.
	Does string

	// Sources say that it is right: a loop that many use and that does so, or the provider's
	// documentation.
	Sources []string

	// Profiles are patterns of the profiles whose providers take it. In a dialect none of whose
	// profiles they match, as without any patterns, it is played under all profiles.
	Profiles []string

	// Dialect is the wire API whose bytes the variation is about; "" is none: loops do so in every
	// dialect that can tell it.
	Dialect string

	// Only are traits that a dialect must have for a loop to do so, and Unless those that it must
	// not have. Elsewhere says what is otherwise in other dialects.
	Only, Unless neutral.Trait
	Elsewhere    string

	// Without are features that the loop does not claim, and With those that it claims besides
	// [Claims].
	Without, With []protocol.Feature

	// Shoulds are rules of the level should that the loop breaks anyway, and Why says what it has
	// for it.
	Shoulds []string
	Why     string

	// Designs are those of the loop.
	Designs []protocol.Design

	// Form is the form of the transcript that the loop hands over, where that is all that it does
	// otherwise. A dialect in which the reference loop uses that form is left out.
	Form string

	// Make returns the mutation for one task.
	Make func() Mutation
}

// Axis returns the name of the axis on which the loop differs.
func (v Variation) Axis() string {
	axis, _, _ := strings.Cut(v.Name, "/")
	return axis
}

// Dialects returns the wire APIs in which the variation is judged.
func (v Variation) Dialects() []string {
	return slices.DeleteFunc(v.Fault().Dialects(), func(name string) bool {
		return v.Form != "" && v.Form == refloop.DialectOf(protocol.Task{Dialect: name}).Transcript()
	})
}

// Fault returns the variation as a fault that breaks nothing but shoulds.
func (v Variation) Fault() Fault {
	make := v.Make
	if v.Form != "" {
		make = InForm(v.Form)
	}
	return Fault{
		Name: v.Name, Does: v.Does, Dialect: v.Dialect, Only: v.Only, Unless: v.Unless, Elsewhere: v.Elsewhere,
		Make: make, claims: v.Claims(),
	}
}

// Claims returns the features that the loop claims.
func (v Variation) Claims() []protocol.Feature {
	return without(slices.Concat(Claims, v.With), v.Without)
}

// InForm hands the transcript over in a form.
func InForm(form string) func() Mutation {
	return OnLoop(func(l *refloop.Loop) { l.Transcript = form })
}
