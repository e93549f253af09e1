package recording_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/internal/wire"
)

const booking = `
prompt: Book a table.
tools:
  book:
    description: Books a table.
    schema:
      type: object
      properties:
        guests: {type: array, items: {type: object, properties: {name: {type: string, description: "The name: of a guest."}}, required: [name]}}
        place: {type: string, enum: [inside, "no", terrace]}
        seats: {type: integer, minimum: 1}
        type: {type: string}
      required: [guests, seats]
    results:
      - {when: {place: terrace}, text: A table outside.}
      - text: A table.
model:
  - calls: [{as: book, tool: book, arguments: '{"guests":[{"name":"Ada"}],"place":"terrace","seats":2,"type":"x"}'}]
  - text: Booked.
`

// A schema that says more than the types of the parameters is kept whole, in every wire API.
func TestSchemasAreRecordedWhole(t *testing.T) {
	for _, profile := range []string{"openai", "anthropic", "openai-responses", "gemini-3"} {
		rec := record(t, booking, profile, false, recording.Config{})
		tool := rec.load(t)[0].Tool("book")
		schema := wire.Parsed(tool.Schema())
		if got := schema.At("/properties/guests/items/properties/name/description").Text(); got != "The name: of a guest." {
			t.Errorf("%s: the description in a list is %q, in %s", profile, got, tool.Schema())
		}
		if got := string(schema.At("/properties/place/enum").JSON()); got != `["inside","no","terrace"]` {
			t.Errorf("%s: the enum is %s", profile, got)
		}
		if got := string(schema.At("/properties/guests/type").JSON()); got != `"array"` {
			t.Errorf("%s: the type of a list is %s", profile, got)
		}
		if len(tool.Parameters) > 0 || len(tool.Properties()) != 4 {
			t.Errorf("%s: the tool takes %v", profile, tool.Properties())
		}
		if r, ok := tool.Answer(`{"guests":[{"name":"Ada"}],"place":"terrace","seats":2,"type":"x"}`); !ok || r.Output() != "A table outside." {
			t.Errorf("%s: the tool gives %+v", profile, r)
		}
	}
}

// A secret in a schema is removed, and a schema that is none without it leaves the types of the
// parameters.
func TestSecretsInSchemasAreNotWritten(t *testing.T) {
	secret := strings.Replace(booking, "Books a table.", "Books.", 1)
	secret = strings.Replace(secret, "The name: of a guest.", "As in "+key, 1)
	rec := record(t, secret, "openai", false, recording.Config{})
	for name, data := range rec.files(t) {
		if bytes.Contains([]byte(data), []byte(key)) {
			t.Errorf("%s has the key", name)
		}
	}
	if tool := rec.load(t)[0].Tool("book"); len(tool.JSONSchema) == 0 {
		t.Errorf("the schema is gone with the key: %s", tool.Schema())
	}
	rec = record(t, booking, "openai", false, recording.Config{Redact: []string{"guests"}})
	tool := rec.load(t)[0].Tool("book")
	var names []string
	for _, p := range tool.Parameters {
		names = append(names, p.Name+" "+p.Type)
	}
	if !slices.Equal(names, []string{"guests array", "place string?", "seats integer", "type string?"}) {
		t.Errorf("the tool takes %v: %s", names, tool.Schema())
	}
}
