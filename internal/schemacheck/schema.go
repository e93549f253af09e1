// Package schemacheck validates JSON documents by JSON Schemas, and says where they break them:
//
//	schema, err := schemacheck.Parse(text)
//	problems, err := schema.Problems(document) // at /city: got number, want string
//
// Whether a document is valid is for a library to say, unless the schema is so plain that it is as
// easily said here; see [Schema.keeps]. That library stops at the first problem and
// does not say at which place of the document it is, so the places are looked for here. A library
// that says both compiles the schemas of all drafts whenever a program starts that links it, which
// takes longer than all other packages together.
package schemacheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is a JSON Schema of draft 2020-12 or 7.
type Schema struct {
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
	refs     map[*jsonschema.Schema]*jsonschema.Schema // what each $ref refers to
	plain    bool                                      // [Schema.keeps] knows all its keywords
	patterns map[*jsonschema.Schema]*regexp.Regexp

	// checked has the checks of the schemas within it that were needed: *jsonschema.Schema to
	// []resolvedCheck.
	checked sync.Map
}

// Parse reads a schema. It may refer to parts of itself, and to nothing else.
func Parse(text []byte) (*Schema, error) {
	root := new(jsonschema.Schema)
	if err := json.Unmarshal(text, root); err != nil {
		return nil, err
	}
	s := &Schema{
		root: root, plain: isPlain(root),
		refs: map[*jsonschema.Schema]*jsonschema.Schema{}, patterns: map[*jsonschema.Schema]*regexp.Regexp{},
	}
	if err := s.readRefs(root); err != nil {
		return nil, err
	}
	if err := s.checkEnds(root, map[*jsonschema.Schema]state{}); err != nil {
		return nil, err
	}
	if err := checkDraft(root.Schema); err != nil {
		return nil, err
	}
	var err error
	s.resolved, err = root.Resolve(nil)
	return s, err
}

// checkDraft returns an error if the library does not know a draft, which it says only when it
// validates.
func checkDraft(draft string) error {
	anything := &jsonschema.Schema{Schema: draft}
	resolved, err := anything.Resolve(nil)
	if err != nil {
		return err
	}
	return resolved.Validate(nil)
}

// readRefs finds what the references of a schema refer to, and reads its patterns.
func (s *Schema) readRefs(schema *jsonschema.Schema) error {
	if schema.DynamicRef != "" {
		return errors.New("$dynamicRef is not supported")
	}
	if schema.Ref != "" {
		target, err := lookUp(s.root, schema.Ref)
		if err != nil {
			return err
		}
		s.refs[schema] = target
	}
	if schema.Pattern != "" {
		s.patterns[schema], _ = regexp.Compile(schema.Pattern) // what is wrong with it, the library says
	}
	for _, child := range children(schema) {
		if err := s.readRefs(child); err != nil {
			return err
		}
	}
	return nil
}

// state is how far the search for endless references has come with a schema.
type state int

const (
	unseen state = iota
	open
	ended
)

// checkEnds returns an error if a schema applies itself to the same value again, which would take
// for ever.
func (s *Schema) checkEnds(schema *jsonschema.Schema, seen map[*jsonschema.Schema]state) error {
	seen[schema] = open
	for _, next := range s.besides(schema) {
		if seen[next] == open {
			return errors.New("a $ref leads back to itself")
		}
		if seen[next] == unseen {
			if err := s.checkEnds(next, seen); err != nil {
				return err
			}
		}
	}
	seen[schema] = ended
	for _, child := range children(schema) {
		if seen[child] == unseen {
			if err := s.checkEnds(child, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// Problem is a place at which a document breaks a schema.
type Problem struct {
	Pointer string // RFC 6901
	Message string
}

// Problems returns the places at which a document breaks the schema, in the order of their
// pointers. The error says that the document is not JSON.
func (s *Schema) Problems(document []byte) ([]Problem, error) {
	value, err := decode(document)
	if err != nil {
		return nil, err
	}
	return s.ProblemsIn(value), nil
}

// ProblemsIn is [Schema.Problems] for a document that was read already, into the types of
// encoding/json.
func (s *Schema) ProblemsIn(value any) []Problem {
	if s.plain && s.keeps(s.root, value) {
		return nil
	}
	invalid := s.resolved.Validate(value)
	if invalid == nil {
		return nil
	}
	found := sorted(s.search(s.root, value, ""))
	if len(found) == 0 { // by a keyword of which the place is not known
		found = []Problem{{Message: words(invalid)}}
	}
	return found
}

func decode(document []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(document))
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after the JSON value, at byte %d", d.InputOffset())
	}
	return value, nil
}
