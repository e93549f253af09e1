// Package schemas validates JSON documents by JSON Schemas, for mock providers that get requests with a strict schema. It is
// a separate package, so that programs that do not need it do not link a schema engine:
//
//	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts, Schema: schemas.Check})
package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Check returns an error that names the first place at which a document violates a schema. A schema that cannot be read, for
// example because it refers to another file, accepts everything, since it is not known how providers treat it.
func Check(schema, document []byte) error {
	compiled := compile(schema)
	if compiled == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	var invalid *jsonschema.ValidationError
	if errors.As(compiled.Validate(value), &invalid) {
		return errors.New(first(invalid))
	}
	return nil
}

const here = "schema:request"

func compile(schema []byte) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{}) // clients must not make the server read files or URLs
	if c.AddResource(here, doc) != nil {
		return nil
	}
	compiled, err := c.Compile(here)
	if err != nil {
		return nil
	}
	return compiled
}

// nowhere loads no other schemas.
type nowhere struct{}

func (nowhere) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not read", url) }

// first describes the innermost of the first errors: `at /city: got number, want string`.
func first(e *jsonschema.ValidationError) string {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	words := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if len(e.InstanceLocation) == 0 {
		return words
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var at strings.Builder
	for _, step := range e.InstanceLocation {
		at.WriteString("/" + escape.Replace(step))
	}
	return fmt.Sprintf("at %s: %s", &at, words)
}
