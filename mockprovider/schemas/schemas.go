// Package schemas holds JSON documents against JSON Schemas, for mock providers that are asked for answers of a strict
// schema. It is a package of its own, so that programs which do not want that link no schema engine:
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

// Check returns an error that names the first place at which a document breaks a schema. A schema that cannot be read,
// such as one that refers to another file, breaks nothing: what a provider makes of it nobody here knows.
func Check(schema, document []byte) error {
	compiled := compile(schema)
	if compiled == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
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
	c.UseLoader(nowhere{}) // neither files nor the net are read for a client
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

// first says what is wrong at the innermost of the first errors: `at /city: got number, want string`.
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
