package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/wire"
)

// profileSchema writes the JSON Schema of profile files, for editors. The loader checks more than a schema can say.
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
	for _, d := range dialect.All() {
		s.Definitions[shapeOf(d)] = reflectShape(r, d)
		shapes = append(shapes, &jsonschema.Schema{Ref: "#/$defs/" + shapeOf(d)})
	}
	top := s.Definitions["Profile"]
	top.Required = []string{"loopproof", "title"}
	set(top, "loopproof", func(p *jsonschema.Schema) { p.Const = 1 })
	set(top, "dialect", func(p *jsonschema.Schema) { p.Enum = words(profiles.Dialects(profiles.All())) })
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

// namePlaces replaces the names of lists of places, in the descriptions of keys, by the places of templates that are in them.
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

// profileKeys writes all keys of a profile file, with what their types say of them.
func profileKeys() ([]byte, error) {
	s, err := reflectProfile()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s# The keys of a profile\n\n", generated)
	b.WriteString("All keys that the file of a [profile](profiles.md) may have. `loopproof validate FILE` checks one, and names line, column and the nearest known word; ")
	b.WriteString("editors that speak YAML find the keys with a first line `# yaml-language-server: $schema=https://raw.githubusercontent.com/loopproof/loopproof/main/profiles/schema.json`. ")
	b.WriteString("A template is JSON as the provider writes it, with places such as `$text` that an answer fills; `$text or null` says what is there without one.\n")
	for _, section := range []struct{ title, intro, of string }{
		{"At the top", "A profile needs `loopproof: 1` and `title`. One that is `like` another one says what differs; one that is not says all that has no default.", "Profile"},
		{"forms: answers, errors; not-bound-by: n, tool_choice", "How it is known in which form the provider writes, and that no answer is held to a key.", "Proof"},
		{"shape", "", ""},
		{"reasoning", "", "Reasoning"},
		{"accepts", "", "Accepts"},
		{"images", "", "Images"},
		{"errors", "", "Errors"},
		{"quirks: NAME", "A mapping of [quirks](scenarios.md) that the provider was seen to show.", "Shown"},
		{"refuses, also-refuses", "Each entry of the lists.", "Refusal"},
		{"instead", "Each entry of the list of a refusal.", "Otherwise"},
	} {
		if section.title == "shape" {
			writeShapes(&b, s)
			continue
		}
		of := s.Definitions[section.of]
		if of == nil {
			return nil, fmt.Errorf("there is no type %s of keys of a profile any more", section.of)
		}
		fmt.Fprintf(&b, "\n## %s\n\n", section.title)
		if section.intro != "" {
			fmt.Fprintf(&b, "%s\n\n", section.intro)
		}
		writeKeys(&b, of)
	}
	return b.Bytes(), nil
}

// writeShapes writes the keys of the shape of each dialect, and of the mappings in it.
func writeShapes(b *bytes.Buffer, s *jsonschema.Schema) {
	for _, d := range dialect.All() {
		shape := s.Definitions[shapeOf(d)]
		fmt.Fprintf(b, "\n## shape, in the dialect %s\n\nThe form of answers.\n\n", d.Name)
		writeKeys(b, shape)
		for pair := shape.Properties.Oldest(); pair != nil; pair = pair.Next() {
			if pair.Value.Properties != nil && pair.Value.Properties.Len() > 0 {
				fmt.Fprintf(b, "\n## shape: %s, in the dialect %s\n\n", pair.Key, d.Name)
				writeKeys(b, pair.Value)
			}
		}
	}
}

func writeKeys(b *bytes.Buffer, s *jsonschema.Schema) {
	b.WriteString("| key | is | |\n|---|---|---|\n")
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", pair.Key, kindOf(pair.Value), strings.ReplaceAll(inKeys(pair.Key, pair.Value.Description), "|", `\|`))
	}
}

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

// kindOf says in a word or two what a key takes.
func kindOf(s *jsonschema.Schema) string {
	switch {
	case s.Const != nil:
		return fmt.Sprintf("`%v`", s.Const)
	case len(s.Enum) > 0 && len(s.Enum) < 10:
		var all []string
		for _, w := range s.Enum {
			all = append(all, fmt.Sprintf("`%v`", w))
		}
		return strings.Join(all, ", ")
	case len(s.Enum) > 0:
		return "a rule"
	case s.Type == "array" && s.Items != nil:
		return "a list"
	case s.Format == "regex":
		return "a regular expression"
	case s.Title == template:
		return "a template"
	case s.Type == "object", s.Ref != "", len(s.AnyOf) > 0:
		return "a mapping"
	case s.Type == "boolean":
		return "`true` or `false`"
	case s.Type == "integer":
		return "a number"
	case s.Type == "string" && len(s.Examples) > 0:
		return fmt.Sprintf("a pattern such as `%v`", s.Examples[0])
	case len(s.OneOf) > 0 && s.OneOf[0].Type == "string":
		return "a text or `null`"
	case len(s.OneOf) > 0:
		return "a mapping, or a list of them"
	}
	return "a text"
}
