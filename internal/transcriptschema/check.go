// Package transcriptschema validates the records of a loop against the JSON Schemas of their formats. It is separate from
// package transcript so that programs that only run the mock provider do not link a schema engine:
//
//	run := rules.Examine(recorded, transcriptschema.Check)
package transcriptschema

import (
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/internal/schemacheck"
	"github.com/loopproof/loopproof/internal/transcript"
)

// parsed are the schemas of all formats by name, read once.
var parsed = sync.OnceValue(func() map[string]*schemacheck.Schema {
	all := map[string]*schemacheck.Schema{}
	for _, f := range transcript.Formats() {
		schema, err := schemacheck.Parse(f.Schema())
		if err != nil {
			panic(fmt.Sprintf("transcriptschema: the schema of %s: %v", f.Name, err))
		}
		all[f.Name] = schema
	}
	return all
})

// Check returns the places at which a record breaks the schema of its format, in the order of their pointers. The error says
// that the record is not JSON.
func Check(f *transcript.Format, data []byte) ([]transcript.Problem, error) {
	found, err := parsed()[f.Name].Problems(data)
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	var all []transcript.Problem
	for _, p := range found {
		all = append(all, transcript.Problem(p))
	}
	return all, nil
}
