package main

import (
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/wire"
)

// profileSchema writes the JSON Schema of profile files, for editors. The loader checks more than a
// schema can say.
func profileSchema() ([]byte, error) {
	s, err := reflectProfile()
	if err != nil {
		return nil, err
	}
	return schemaText(s)
}

func reflectProfile() (*jsonschema.Schema, error) {
	r := &jsonschema.Reflector{FieldNameTag: "yaml", Mapper: profileTypes, RequiredFromJSONSchemaTags: true}
	if err := addComments(r, "./internal/profiles", "./internal/wire", "./internal/dialect"); err != nil {
		return nil, err
	}
	s := r.Reflect(&profiles.Profile{})
	s.ID = "https://github.com/loopproof/loopproof/profiles/schema.json"
	s.Title = "Loopproof profile"
	var shapes []*jsonschema.Schema
	for _, d := range dialect.Known() {
		s.Definitions[shapeOf(d)] = reflectShape(r, d)
		shapes = append(shapes, &jsonschema.Schema{Ref: "#/$defs/" + shapeOf(d)})
	}
	top := s.Definitions["Profile"]
	top.Required = []string{"loopproof", "title"}
	set(top, "loopproof", func(p *jsonschema.Schema) { p.Const = 1 })
	set(top, "dialect", func(p *jsonschema.Schema) { p.Enum = words(dialect.Names(dialect.Known())) })
	set(top, "contradicts-others", func(p *jsonschema.Schema) { p.Items = enum(rulebook.IDs()) })
	set(top, "takes", func(p *jsonschema.Schema) { p.Items = enum(rulebook.IDs()) })
	set(top, "shape", func(p *jsonschema.Schema) { *p = jsonschema.Schema{Description: p.Description, AnyOf: shapes} })
	set(top, "quirks", func(p *jsonschema.Schema) {
		shown := &jsonschema.Schema{Ref: "#/$defs/Shown"}
		*p = jsonschema.Schema{Type: "object", Description: p.Description, PropertyNames: enum(quirkNames()), AdditionalProperties: shown}
	})
	set(top, "not-bound-by", func(p *jsonschema.Schema) { p.PropertyNames = enum([]string{"n", "tool_choice"}) })
	s.Definitions["Shown"].Properties.Delete("~key")
	for _, refuser := range []string{"Refusal", "Otherwise"} {
		for _, key := range []string{"type", "param", "code"} {
			set(s.Definitions[refuser], key, func(p *jsonschema.Schema) { *p = *textOrNull() })
		}
	}
	set(s.Definitions["Refusal"], "rule", func(p *jsonschema.Schema) { p.Enum = words(rulebook.IDs()) })
	for _, name := range []string{"Refusal", "Shown", "Proof", "Reasoning", "Images"} {
		set(s.Definitions[name], "known-by", func(p *jsonschema.Schema) {
			p.Enum = words([]profiles.KnownBy{profiles.Executed, profiles.Documented, profiles.Recorded, profiles.Measured, profiles.Reported, profiles.Unnamed})
		})
	}
	set(s.Definitions["Reasoning"], "resend", func(p *jsonschema.Schema) {
		p.Enum = words([]profiles.Resend{profiles.ResendNone, profiles.ResendNever, profiles.ResendOptional, profiles.ResendToolTurns, profiles.ResendAllTurns})
	})
	set(s.Definitions["Images"], "in", func(p *jsonschema.Schema) {
		p.Items = enum([]profiles.ImagePlace{profiles.InUserMessages, profiles.InToolResults})
	})
	delete(s.Definitions, "Shape")
	return s, nil
}

// shapeOf returns the name of the definition for the shape of a dialect.
func shapeOf(d *wire.Dialect) string { return "shape-of-" + d.Name }

// reflectShape returns the schema of the shape of a dialect, with the types of its own within it.
func reflectShape(r *jsonschema.Reflector, d *wire.Dialect) *jsonschema.Schema {
	reflected := r.Reflect(d.NewShape())
	shape := reflected.Definitions["Shape"]
	for pair := shape.Properties.Oldest(); pair != nil; pair = pair.Next() {
		inner := reflected.Definitions[strings.TrimPrefix(pair.Value.Ref, "#/$defs/")]
		if inner != nil {
			inner.Description = pair.Value.Description
			*pair.Value = *inner
		}
	}
	namePlaces(shape, d.Places)
	return shape
}

// namePlaces replaces the names of lists of places, in the descriptions of keys, by the places of
// templates that are in them.
func namePlaces(s *jsonschema.Schema, places map[string][]string) {
	if s.Properties == nil {
		return
	}
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		text := strings.Join(strings.Fields(pair.Value.Description), " ")
		for list, words := range places {
			text = strings.ReplaceAll(text, "["+list+"]", "`$"+strings.Join(words, "`, `$")+"`")
		}
		pair.Value.Description = strings.NewReplacer("are those of `$", "are `$", "the places of `$", "the places `$", "with those of `$", "with `$").Replace(text)
		namePlaces(pair.Value, places)
	}
}

// template is the title of what is JSON as the provider writes it, with places such as $text.
const template = "template"

// profileTypes returns the schemas of types that read themselves.
func profileTypes(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[wire.Template]():
		return &jsonschema.Schema{Title: template, OneOf: []*jsonschema.Schema{{Type: "object"}, {Type: "array"}, {Type: "null"}}}
	case reflect.TypeFor[profiles.Pattern]():
		return &jsonschema.Schema{Type: "string", MinLength: ptr(uint64(1)), Examples: []any{"call_{alnum:24}", "{name}:{count}"}}
	case reflect.TypeFor[profiles.Form]():
		return &jsonschema.Schema{Type: "string", Format: "regex"}
	case reflect.TypeFor[profiles.Violations]():
		one := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
	case reflect.TypeFor[profiles.Words]():
		properties := jsonschema.NewProperties()
		properties.Set("message", &jsonschema.Schema{Type: "string"})
		for _, key := range []string{"type", "param", "code"} {
			properties.Set(key, textOrNull())
		}
		return &jsonschema.Schema{Type: "object", Properties: properties, AdditionalProperties: jsonschema.FalseSchema}
	}
	return nil
}

func textOrNull() *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "null"}}}
}

func ptr[T any](v T) *T { return &v }

// inKeys words what Go says of a field for people who write its key.
func inKeys(key, comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	first, rest, _ := strings.Cut(text, " ")
	isName := strings.EqualFold(first, strings.ReplaceAll(key, "-", "")) && first != strings.ToLower(first) // "version of Loopproof" is prose
	if isName || key == "stream" {
		return "`" + key + "` " + rest
	}
	return text
}
