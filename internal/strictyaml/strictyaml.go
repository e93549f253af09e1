// Package strictyaml reads one YAML document into a Go value and forgives nothing: an unknown key, a wrong type, a
// doubled key, a second document or an alias is an error that names file, line and column and says what was expected.
// All errors of a file are reported, not just the first.
//
//	var s Scenario
//	doc, err := strictyaml.Read("pairing/x.yaml", data, &s)
//	if !known(s.Tool) {
//		err = doc.Errorf("/tool", "there is no tool %q", s.Tool)
//	}
package strictyaml

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// MaxSize is the largest file that is read, in bytes. Scenarios and profiles are written by hand.
const MaxSize = 1 << 20

// Error is one thing wrong in a file. Line and Column start at 1; they are 0 when the place is not known.
type Error struct {
	File         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.File + ": " + e.Message
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	default:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	}
}

// Document is a file that was read. It remembers where everything stood, for errors that only show later.
type Document struct {
	file string
	root *yaml.Node
}

// Read reads data into the struct that into points to. The keys are the yaml tags of its fields. The error joins one
// *[Error] for each thing wrong.
func Read(file string, data []byte, into any) (*Document, error) {
	root, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	doc := &Document{file: file, root: root}
	d := &decoder{doc: doc}
	d.into(root, into)
	return doc, errors.Join(d.errs...)
}

func parse(file string, data []byte) (*yaml.Node, error) {
	fail := func(format string, args ...any) (*yaml.Node, error) {
		return nil, &Error{File: file, Message: fmt.Sprintf(format, args...)}
	}
	if len(data) > MaxSize {
		return fail("the file has %.1f MB, at most %d MB are read", float64(len(data))/(1<<20), MaxSize>>20)
	}
	if !utf8.Valid(data) {
		line := 1 + strings.Count(string(data[:invalidAt(data)]), "\n")
		return nil, &Error{File: file, Line: line, Message: "the file is not UTF-8"}
	}
	var docs []yaml.Node
	if err := yaml.Load(data, &docs, yaml.WithAllDocuments()); err != nil {
		return nil, syntaxError(file, err)
	}
	if len(docs) == 0 {
		return fail("the file is empty")
	}
	root := content(&docs[0])
	if len(docs) > 1 {
		second := content(&docs[1])
		return nil, &Error{File: file, Line: second.Line, Column: second.Column, Message: "a second document begins here; a file holds one"}
	}
	if alias := findAlias(root); alias != nil {
		return nil, &Error{File: file, Line: alias.Line, Column: alias.Column, Message: "anchors and aliases are not read here; write the value out"}
	}
	return root, nil
}

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

func content(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		return n.Content[0]
	}
	return n
}

func findAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return n
	}
	for _, c := range n.Content {
		if a := findAlias(c); a != nil {
			return a
		}
	}
	return nil
}

func syntaxError(file string, err error) error {
	e := &Error{File: file, Message: err.Error()}
	var one *yaml.LoadError
	var many *yaml.LoadErrors
	switch {
	case errors.As(err, &one):
	case errors.As(err, &many) && len(many.Errors) > 0:
		one = many.Errors[0]
	default:
		return e
	}
	e.Message = "not YAML: " + one.Message
	if one.ContextMsg != "" {
		e.Message += " (" + one.ContextMsg + ")"
	}
	e.Line, e.Column = one.Mark.Line, one.Mark.Column
	return e
}

// Errorf returns an *[Error] at the value that path names: "/model/0/calls/1/tool". When there is no such value, the
// nearest one around it is named.
func (doc *Document) Errorf(path, format string, args ...any) error {
	n := doc.root
	for _, step := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		child := childOf(n, step)
		if child == nil {
			break
		}
		n = child
	}
	return doc.errorAt(n, format, args...)
}

func (doc *Document) errorAt(n *yaml.Node, format string, args ...any) error {
	return &Error{File: doc.file, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
}

func childOf(n *yaml.Node, step string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}
