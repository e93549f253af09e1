package wire

import (
	"slices"
	"sync/atomic"
)

// Breach is one place at which a request does not have the form of its dialect, as package form
// finds it.
type Breach struct {
	Rule    string // the id of the rule that the node of the form belongs to
	Keyword string // of the form that is broken: type, enum, required, keys, ...
	Weak    bool   // it weighs less where the provider is not known to refuse it

	IfRefused bool  // it is one only where the provider is known to refuse it
	AtObject  bool  // it is told of the object in which the value is
	Tagged    bool  // the provider writes places with the words of the objects on the way
	Tags      []Tag // those

	In    *Node  // the object or list in which the value is, or would be, or nil if the value is the whole request
	Key   string // under which it is, "" for an item of a list
	Value *Node  // nil where there is none
	Whole *Node  // the object of an unknown kind; nil for other breaches
	Word  string // by which the object in which, or at which, it is says its kind

	Missed string // the key that a provider misses before it sees the one that stands for it

	Type  string   // of the value that is wanted: what the API calls it, or in the words of the form
	Want  string   // what is expected, in words
	Wants []string // the types, the words or the keys that there may be, or the one that it is about
	Limit string   // the edge of a range or a length, the beginning of an id, or a pattern
	Side  string   // "below" or "above" the edge
}

// Pointer returns the place of the breach.
func (b *Breach) Pointer() string {
	if b.AtObject {
		return b.In.Pointer()
	}
	return b.Place()
}

// Place returns the pointer to the value that is wrong, or missing.
func (b *Breach) Place() string {
	if b.Key == "" {
		return b.Value.Pointer()
	}
	return b.In.Pointer() + "/" + pointerEscape.Replace(b.Key)
}

// Tag is the word by which a provider names the kind of an object.
type Tag struct {
	Node *Node
	Word string
}

// FormResult is what a request is found to be by the form of its dialect.
type FormResult struct {
	Breaches []Breach        // of each rule the first thousand
	Kinds    map[string]bool // the rules about a kind of object that the request has

	// More are the rules of which there are more breaches, and Again finds all those of a rule.
	More  map[string]bool
	Again func(rule string, f func(*Breach))
}

// Of calls f for each breach of a rule, in the order of the form.
func (r *FormResult) Of(rule string, f func(*Breach)) {
	if r.More[rule] {
		r.Again(rule, f)
		return
	}
	for i := range r.Breaches {
		if r.Breaches[i].Rule == rule {
			f(&r.Breaches[i])
		}
	}
}

// Breaks reports whether there is a breach of a rule.
func (r *FormResult) Breaks(rule string) bool {
	return slices.ContainsFunc(r.Breaches, func(b Breach) bool { return b.Rule == rule })
}

// Form finds where requests do not have the form of a dialect.
type Form interface {
	// Check finds where the body of a request does not have the form, as a provider has it.
	Check(r *Request, of Provider) *FormResult

	// Breaks returns the keywords whose breach is one of a rule that is judged by the form: none of
	// other rules.
	Breaks(rule string) []string

	// Keys returns the keys of a request in the dialect's reference, sorted.
	Keys() []string

	// Parameters returns what the form says of the keys of a request for a rule about several
	// dialects, which judges them itself: nothing for other rules.
	Parameters(rule string) *Parameters
}

// Parameters is what a form says of the keys of a request, by their names. Those that are not listed
// are any.
type Parameters struct {
	Types  map[string]ParameterType
	Ranges map[string]Range // where numbers may be

	// Words are what words there may be. The names are written with dots where they are within
	// others.
	Words map[string][]string

	// OptionKeys are the keys of objects that have no others for the dialect's own provider.
	OptionKeys map[string][]string
}

// Keys returns the keys of a request in the dialect's reference: none where it has no form.
func (d *Dialect) Keys() []string {
	if d.Form == nil {
		return nil
	}
	return d.Form().Keys()
}

// Parameters is [Form.Parameters] of the dialect's form: nothing where it has none.
func (d *Dialect) Parameters(rule string) *Parameters {
	if d.Form == nil {
		return &Parameters{}
	}
	return d.Form().Parameters(rule)
}

// Provider says what a provider takes that is not what the reference of the dialect says.
type Provider interface {
	// Accepted returns the words or keys that the provider takes in place of those of the reference,
	// by the name that the form has for them. None: it takes those of the reference.
	Accepted(list string) []string
}

// memo holds what was found of a request that was read: by its form and by checks, each under one
// provider, and of its answers.
type memo struct {
	form  atomic.Pointer[formOf] // found once for all rules
	clean atomic.Pointer[cleanOf]

	answers   atomic.Pointer[answerIndex]
	hasResult bool
}

type formOf struct {
	provider Provider
	result   *FormResult
}

// Form returns what is found by the form of the request's dialect, nil where the dialect has none.
// The body must not be changed afterwards.
func (r *Request) Form(of Provider) *FormResult {
	if r.Dialect.Form == nil {
		return nil
	}
	if r.memo == nil { // of a request that was not read
		return r.Dialect.Form().Check(r, of)
	}
	known := r.memo.form.Load()
	if known == nil || known.provider != of {
		known = &formOf{of, r.Dialect.Form().Check(r, of)}
		r.memo.form.Store(known)
	}
	return known.result
}
