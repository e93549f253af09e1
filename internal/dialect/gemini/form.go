package gemini

import (
	_ "embed"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

//go:embed request.yaml
var requestFile []byte

// Form returns what a request looks like.
var Form = form.Lazy("internal/dialect/gemini/request.yaml", requestFile, map[string]func(*wire.Node) string{"schema": schemaType})

// schemaTypes are the types of a schema, each at its number in the protos.
var schemaTypes = []string{"TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}

// schemaType returns the type of a schema in the words of the protos. Google takes it in small
// letters, too, and its number, which its clients for protos send.
func schemaType(schema *wire.Node) string {
	switch said := schema.Get("type"); {
	case said.Is(wire.Array):
		return "several"
	case said.Is(wire.Number):
		if i, err := strconv.Atoi(string(said.Raw)); err == nil && i >= 0 && i < len(schemaTypes) {
			return schemaTypes[i]
		}
		return ""
	default:
		return form.Word(said.Text())
	}
}

// isSchemaType reports whether a word is a type of a schema.
func isSchemaType(said string) bool { return slices.Contains(schemaTypes, form.Word(said)) }
