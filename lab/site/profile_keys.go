package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/loopproof/loopproof/internal/dialect"
)

// profileKeys writes all keys of a profile file, as its JSON Schema describes them.
func profileKeys(repo fs.FS) ([]byte, error) {
	text, err := fs.ReadFile(repo, "profiles/schema.json")
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("profiles/schema.json: %w", err)
	}
	var b bytes.Buffer
	b.WriteString("# The keys of a profile\n\n")
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
			writeShapes(&b, &s)
			continue
		}
		of := s.Definitions[section.of]
		if of == nil {
			return nil, fmt.Errorf("profiles/schema.json has no type %s any more", section.of)
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
		shape := s.Definitions["shape-of-"+d.Name]
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
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", pair.Key, kindOf(pair.Value), strings.ReplaceAll(pair.Value.Description, "|", `\|`))
	}
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
	case s.Title == "template":
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
