package geminirules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	structType  = "type.googleapis.com/google.protobuf.Struct"
	ownTypes    = "type.googleapis.com/google.ai.generativelanguage.v1beta."
	mappingType = ownTypes + "Schema.PropertiesEntry"
)

// misread returns what the parser of the API says of a value that is not of the type of its field.
// A list or an object in the place of a single value is a fault of the object around it: Invalid
// value at 'contents[0].parts[0]' (text), Starting an object on a scalar field. The words of the
// parser are those of protobuf before version 22:
// https://github.com/protocolbuffers/protobuf/tree/v21.12/src/google/protobuf/util/internal
func misread(n *wire.Node, word string) map[string]string {
	said := map[string]string{"at": gemini.Field(n), "key": n.Key(), "type": word, "found": string(n.Raw), "what": "a value"}
	if n.Is(wire.String) {
		said["found"] = `"` + n.Text() + `"`
	}
	switch {
	case n.Is(wire.Array) && word == mappingType:
		said["at"], said["type"], said["found"] = gemini.Field(n.Parent()), "Map", "Cannot bind a list to map for field '"+n.Key()+"'."
	case n.Is(wire.Array) && n.Key() != "":
		said["at"], said["what"] = gemini.Field(n.Parent()), "a list"
	case n.Is(wire.Object) && strings.HasPrefix(word, "TYPE_"):
		said["at"], said["type"], said["found"] = gemini.Field(n.Parent()), gemini.FieldName(n), "Starting an object on a scalar field"
	}
	said["in"] = inPlace(said["at"])
	return said
}

// inPlace continues a sentence by a place, if there is one.
func inPlace(place string) string {
	if place == "" {
		return ""
	}
	return " at '" + place + "'"
}
