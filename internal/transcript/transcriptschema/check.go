// Package transcriptschema validates the records of a loop against the JSON Schemas of their
// formats. It is separate from package transcript so that programs that only run the mock provider
// do not link a schema engine:
//
//	run := rules.Examine(recorded, transcriptschema.Check)
package transcriptschema

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/loopproof/loopproof/internal/schemacheck"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// parsed are the schemas of all formats by name. Each is read when it is asked for, and once: a
// loop has one or two formats.
var parsed = sync.OnceValue(func() map[string]func() *schemacheck.Schema {
	all := map[string]func() *schemacheck.Schema{}
	for _, f := range transcript.Formats() {
		all[f.Name] = sync.OnceValue(func() *schemacheck.Schema { return parse(f) })
	}
	return all
})

func parse(f *transcript.Format) *schemacheck.Schema {
	schema, err := schemacheck.Parse(f.Schema())
	if err != nil {
		panic(fmt.Sprintf("transcriptschema: the schema of %s: %v", f.Name, err))
	}
	return schema
}

// Check returns the places at which a record breaks the schema of its format, in the order of their
// pointers. The error says that the record has a value that no JSON reader takes, such as a number
// that is too large.
func Check(f *transcript.Format, doc *wire.Node) ([]transcript.Problem, error) {
	value, err := valueOf(doc)
	if err != nil {
		return nil, err
	}
	var all []transcript.Problem
	for _, p := range parsed()[f.Name]().ProblemsIn(value) {
		all = append(all, transcript.Problem(p))
	}
	return all, nil
}

// valueOf returns a document in the types of encoding/json. It is read already, and so is not read
// again.
func valueOf(n *wire.Node) (any, error) {
	switch n.Type() {
	case wire.Object:
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			value, err := valueOf(m.Value)
			if err != nil {
				return nil, err
			}
			members[m.Key] = value
		}
		return members, nil
	case wire.Array:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			value, err := valueOf(item)
			if err != nil {
				return nil, err
			}
			items[i] = value
		}
		return items, nil
	case wire.String:
		return n.Text(), nil
	case wire.Number:
		value, err := strconv.ParseFloat(string(n.Raw), 64)
		if err != nil {
			return nil, fmt.Errorf("it is not JSON: the number %s is too large", n.Raw)
		}
		return value, nil
	case wire.Bool:
		return n.True(), nil
	default:
		return nil, nil
	}
}
