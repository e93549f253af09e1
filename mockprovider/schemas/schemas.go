// Package schemas validates JSON documents by JSON Schemas, for mock providers that get requests
// with a strict schema. It is a separate package, so that programs that do not need it do not link
// a schema engine:
//
//	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts, Schema: schemas.Check})
package schemas

import (
	"errors"
	"fmt"

	"github.com/loopproof/loopproof/internal/schemacheck"
)

// Check returns an error that names the first place at which a document violates a schema of draft
// 2020-12 or 7. A schema that cannot be read, for example because it refers to another file,
// accepts everything, since it is not known how providers treat it.
func Check(schema, document []byte) error {
	parsed, err := schemacheck.Parse(schema)
	if err != nil {
		return nil
	}
	found, err := parsed.Problems(document)
	if err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if len(found) == 0 {
		return nil
	}
	if found[0].Pointer == "" {
		return errors.New(found[0].Message)
	}
	return fmt.Errorf("at %s: %s", found[0].Pointer, found[0].Message)
}
