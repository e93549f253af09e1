// Package strictyaml reads one YAML document into a Go value and forgives nothing: an unknown key,
// a wrong type, a doubled key, a second document, an alias or a tag is an error that names file,
// line and column and says what was expected. All errors of a file are reported, not just the
// first.
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
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"
)

// MaxSize is the largest file that is read, in bytes. Scenarios and profiles are written by hand.
const MaxSize = 1 << 20

// Error is one thing wrong in a file. Line and Column start at 1; they are 0 when the place is not
// known.
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

// Document is a file that was read. It remembers where everything was, for errors that only show
// later.
type Document struct {
	file   string
	root   *Node
	unread []unread // by [Document.Into]
}

// Read is [Parse] and [Document.Into].
func Read(file string, data []byte, into any) (*Document, error) {
	doc, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	return doc, doc.Into(into)
}

// Parse reads a file whose keys are not known yet.
func Parse(file string, data []byte) (*Document, error) {
	root, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	return &Document{file: file, root: root}, nil
}

// Into reads the document into the struct that into points to. The keys are the yaml tags of its
// fields. What the struct held before stays where the file says nothing: mappings are read into
// each other, a list, a template or any other value takes the place of the one before. The error
// joins one *[Error] for each thing wrong.
func (doc *Document) Into(into any) error {
	d := &decoder{doc: doc}
	d.into(doc.root, into)
	doc.unread = append(doc.unread, d.unread...)
	return errors.Join(d.errs...)
}

// Text returns the text at a key at the top of the document, or "" when there is none.
func (doc *Document) Text(key string) string {
	n := childOf(doc.root, key)
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

func parse(file string, data []byte) (*Node, error) {
	fail := func(format string, args ...any) (*Node, error) {
		return nil, &Error{File: file, Message: fmt.Sprintf(format, args...)}
	}
	if len(data) > MaxSize {
		return fail("the file has %.1f MB, at most %d MB are read", float64(len(data))/(1<<20), MaxSize>>20)
	}
	if !utf8.Valid(data) {
		return nil, notUTF8(file, data)
	}
	var docs []yaml.Node
	if err := yaml.Load(data, &docs, yaml.WithAllDocuments()); err != nil {
		return nil, SyntaxError(file, data, err)
	}
	if len(docs) == 0 {
		return fail("the file is empty")
	}
	root := content(&docs[0])
	if len(docs) > 1 {
		second := content(&docs[1])
		return nil, &Error{File: file, Line: second.Line, Column: second.Column, Message: "a second document begins here; a file holds one"}
	}
	if n, why := findClever(root); n != nil {
		return nil, &Error{File: file, Line: n.Line, Column: n.Column, Message: why}
	}
	return nodeFrom(root), nil
}

// notUTF8 says where the first byte is that is not UTF-8. The column counts characters, as editors
// do.
func notUTF8(file string, data []byte) error {
	line, column := 1, 1
	for {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			return &Error{File: file, Line: line, Column: column, Message: fmt.Sprintf("the file is not UTF-8: the byte 0x%02x is here", data[0])}
		case r == '\n':
			line, column = line+1, 1
		default:
			column++
		}
		data = data[size:]
	}
}

func content(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		return n.Content[0]
	}
	return n
}

// findClever returns the first node that uses what YAML has beyond plain values, and what to write
// instead.
func findClever(n *yaml.Node) (clever *yaml.Node, why string) {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return n, "anchors and aliases are not read here; write the value out, or a text between quotes"
	case n.Style&yaml.TaggedStyle != 0:
		return n, fmt.Sprintf("tags such as %s are not read here; leave it out, or write a text between quotes", n.Tag)
	}
	for _, c := range n.Content {
		if clever, why := findClever(c); clever != nil {
			return clever, why
		}
	}
	return nil, ""
}

// Errorf returns an *[Error] at the value that path names: "/model/0/calls/1/tool". When there is
// no such value, the nearest one around it is named.
func (doc *Document) Errorf(path, format string, args ...any) error {
	return doc.errorAt(doc.at(path), format, args...)
}

// Blanks returns the keys of the mapping at a path that have no value.
func (doc *Document) Blanks(path string) (keys []string) {
	n := doc.at(path)
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i+1].Tag == "!!null" {
			keys = append(keys, n.Content[i].Value)
		}
	}
	return keys
}

// Has reports whether the document has a value at a path, which a zero that was read there does not
// tell.
func (doc *Document) Has(path string) bool {
	n, found := doc.follow(path)
	return found && n.Tag != "!!null"
}

// JSONAt returns the value at a path as one that [wire.JSON] writes, if it is a mapping or a list.
func (doc *Document) JSONAt(path string) (value any, is bool) {
	n, found := doc.follow(path)
	if !found || n.Kind == yaml.ScalarNode {
		return nil, false
	}
	value, err := JSON(n)
	return value, err == nil // else the error was told when it was read
}

// Line returns the line of the value at a path, from 1.
func (doc *Document) Line(path string) int { return doc.at(path).Line }

func (doc *Document) at(path string) *Node {
	n, _ := doc.follow(path)
	return n
}

// follow returns the value at a path, or the nearest one around it.
func (doc *Document) follow(path string) (n *Node, found bool) {
	n = doc.root
	for step := range jsontext.Pointer(path).Tokens() {
		child := childOf(n, step)
		if child == nil {
			return n, false
		}
		n = child
	}
	return n, true
}

func (doc *Document) errorAt(n *Node, format string, args ...any) error {
	return &Error{File: doc.file, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
}

func childOf(n *Node, step string) *Node {
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
