package strictyaml

import (
	"errors"
	"reflect"
	"slices"

	"github.com/loopproof/loopproof/internal/suggest"
)

// unread is a part of a document that could not be read, so that a check which misses it says
// nothing new.
type unread struct {
	within *Node // the mapping or list around it; nil: the whole document
	part   *Node // itself, or nil if it may be any key of the mapping
	large  bool  // it is more than one value, so that other parts of the document may need it
}

// With joins the error of [Document.Into] with what a check of the same document found, so that all
// that is wrong in a file is told at once. What may only be missing because it could not be read is
// left out.
//
//	doc, err := strictyaml.Read(file, data, &s)
//	if doc == nil {
//		return err
//	}
//	return doc.With(err, s.check(doc))
func (doc *Document) With(read error, checks ...error) error {
	all := Errors(read)
	for _, check := range checks {
		for _, err := range Errors(check) {
			if one := (*Error)(nil); read == nil || errors.As(err, &one) && !doc.follows(one) {
				all = append(all, err)
			}
		}
	}
	return errors.Join(all...)
}

// Errors returns the errors that one joins, also those that joined ones join; none for nil.
func Errors(err error) (all []error) {
	joined, is := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case is:
		for _, one := range joined.Unwrap() {
			all = append(all, Errors(one)...)
		}
	default:
		all = []error{err}
	}
	return all
}

// follows reports whether an error of a check may only be there because a part of the document
// could not be read.
func (doc *Document) follows(e *Error) bool {
	return slices.ContainsFunc(doc.unread, func(u unread) bool {
		if u.within == nil || u.large && u.within == doc.root {
			return true
		}
		return e.isAt(u.within) || u.part != nil && e.isIn(u.part)
	})
}

func (e *Error) isAt(n *Node) bool { return e.Line == n.Line && e.Column == n.Column }

func (e *Error) isIn(n *Node) bool {
	return e.isAt(n) || slices.ContainsFunc(n.Content, e.isIn)
}

// around returns the mapping or list around what is being read, or nil.
func (d *decoder) around() *Node {
	if len(d.within) == 0 {
		return nil
	}
	return d.within[len(d.within)-1]
}

// inside calls a function that reads what is in a mapping or list.
func (d *decoder) inside(n *Node, read func()) {
	d.within = append(d.within, n)
	read()
	d.within = d.within[:len(d.within)-1]
}

// lose forgets what a [Reader] read before it failed. What stands around it may say something about
// it, such as a template about the groups of a regular expression: of the whole step, or tool,
// nothing more is said.
func (d *decoder) lose(v reflect.Value) {
	v.SetZero()
	if len(d.within) > depthOfStep {
		step := d.within[depthOfStep]
		d.unread = append(d.unread, unread{within: step, part: step})
	}
}

// depthOfStep is how many mappings and lists are around a step: the document, and the list.
const depthOfStep = 2

// guess reads the value of an unknown key of a mapping as that of the known key which was probably
// meant, so that its absence is not told, too.
func (d *decoder) guess(n, key, value *Node, of *shape, v reflect.Value) {
	near, is := suggest.Word(key.Value, of.keys)
	if is && childOf(n, near) == nil {
		trial := &decoder{doc: d.doc}
		trial.value(value, v.FieldByIndex(of.fields[near]))
		if len(trial.errs) == 0 {
			return
		}
	}
	d.unread = append(d.unread, unread{within: n})
}
