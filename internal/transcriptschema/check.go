// Package transcriptschema validates the records of a loop against the JSON Schemas of their formats. It is separate from
// package transcript so that programs that only run the mock provider do not link a schema engine:
//
//	run := rules.Examine(recorded, transcriptschema.Check)
package transcriptschema

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/loopproof/loopproof/internal/transcript"
)

// compiled are the schemas of all formats by name, compiled once.
var compiled = sync.OnceValue(func() map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, f := range transcript.Formats() {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(f.Schema()))
		if err != nil {
			panic(fmt.Sprintf("transcriptschema: the schema of %s: %v", f.Name, err))
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(f.Name, doc); err != nil {
			panic(fmt.Sprintf("transcriptschema: the schema of %s: %v", f.Name, err))
		}
		all[f.Name] = c.MustCompile(f.Name)
	}
	return all
})

// Check returns the places at which a record breaks the schema of its format, in the order of their pointers. The error says
// that the record is not JSON.
func Check(f *transcript.Format, data []byte) ([]transcript.Problem, error) {
	return Against(compiled()[f.Name], data)
}

// Against returns the places at which a document breaks a schema, in the order of their pointers. The error says that the
// document is not JSON.
func Against(schema *jsonschema.Schema, data []byte) ([]transcript.Problem, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	var invalid *jsonschema.ValidationError
	if err := schema.Validate(doc); !errors.As(err, &invalid) {
		return nil, err
	}
	found := leaves(invalid)
	slices.SortFunc(found, func(a, b transcript.Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Message, b.Message))
	})
	return found, nil
}

// leaves returns the innermost errors: those that name what is wrong, and not the rules that led there.
func leaves(e *jsonschema.ValidationError) []transcript.Problem {
	if len(e.Causes) == 0 {
		words := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		return []transcript.Problem{{Pointer: pointer(e.InstanceLocation), Message: words}}
	}
	var all []transcript.Problem
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

func pointer(steps []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range steps {
		b.WriteString("/" + escape.Replace(step))
	}
	return b.String()
}
