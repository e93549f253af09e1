package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// scenarioSchema writes the JSON Schema of scenario files, for editors. The loader checks more than
// a schema can say.
func scenarioSchema() ([]byte, error) {
	r := &jsonschema.Reflector{FieldNameTag: "yaml", Mapper: special, RequiredFromJSONSchemaTags: true}
	if err := addComments(r, "./internal/scenarios", "./internal/profiles"); err != nil {
		return nil, err
	}
	s := r.Reflect(&scenarios.Scenario{})
	s.ID = "https://github.com/loopproof/loopproof/scenarios/schema.json"
	s.Title = "Loopproof scenario"
	top := s.Definitions["Scenario"]
	top.Required = []string{"loopproof"} // and a title where there is a prompt
	top.AnyOf = []*jsonschema.Schema{{Required: []string{"model"}}, {Required: []string{"embeddings"}}, {Required: []string{"endpoints"}}, {Required: []string{"mcp-servers"}}}
	set(top, "loopproof", func(p *jsonschema.Schema) { p.Const = 1 })
	set(top, "rules", func(p *jsonschema.Schema) { p.Items = enum(rulebook.IDs()) })
	set(top, "needs", func(p *jsonschema.Schema) { p.Items = enum(protocol.Features()) })
	set(top, "transcript", func(p *jsonschema.Schema) { p.Enum = words(transcript.Names(false)) })
	set(top, "tools", func(p *jsonschema.Schema) { byName(p, &jsonschema.Schema{Ref: "#/$defs/Tool"}) })
	set(top, "mcp-servers", func(p *jsonschema.Schema) { byName(p, &jsonschema.Schema{Ref: "#/$defs/MCPServer"}) })
	for key, definition := range map[string]string{"tools": "Tool", "resources": "MCPResource", "prompts": "MCPPrompt"} {
		set(s.Definitions["MCPServer"], key, func(p *jsonschema.Schema) { byName(p, &jsonschema.Schema{Ref: "#/$defs/" + definition}) })
	}
	set(s.Definitions["MCPPrompt"], "arguments", func(p *jsonschema.Schema) { byName(p, &jsonschema.Schema{Type: "string"}) })
	set(top, "agents", func(p *jsonschema.Schema) { byName(p, &jsonschema.Schema{Ref: "#/$defs/Agent"}) })
	set(top, "threads", func(p *jsonschema.Schema) {
		byName(p, &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Ref: "#/$defs/Step"}})
	})
	set(s.Definitions["Agent"], "tools", func(p *jsonschema.Schema) { byName(p, &jsonschema.Schema{Ref: "#/$defs/Tool"}) })
	set(s.Definitions["Tool"], "parameters", func(p *jsonschema.Schema) {
		byName(p, &jsonschema.Schema{Type: "string", Pattern: "^(string|integer|number|boolean|object|array)[?]?$"})
	})
	set(s.Definitions["Block"], "type", func(p *jsonschema.Schema) {
		p.Enum = words([]wire.BlockType{wire.BlockText, wire.BlockSummary, wire.BlockEncrypted})
	})
	set(s.Definitions["Expect"], "status", func(p *jsonschema.Schema) {
		p.Enum = words([]scenarios.Status{scenarios.StatusCompleted, scenarios.StatusFailed, scenarios.StatusStopped, scenarios.StatusNotCompleted})
	})
	for _, key := range []string{"headers", "state"} {
		set(s.Definitions["Step"], key, func(p *jsonschema.Schema) {
			byName(p, &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}}})
		})
	}
	for definition, keys := range map[string][]string{"Step": {"text", "body"}, "Call": {"arguments", "approved-with"}, "ProviderItem": {"arguments"}} {
		for _, key := range keys {
			set(s.Definitions[definition], key, func(p *jsonschema.Schema) { *p = jsonText(p.Description) })
		}
	}
	set(s.Definitions["Step"], "blocks", func(p *jsonschema.Schema) { p.Items = new(jsonText("")) })
	set(s.Definitions["Step"], "quirks", func(p *jsonschema.Schema) { p.Items = enum(quirkNames()) })
	set(s.Definitions["Step"], "redirect", func(p *jsonschema.Schema) { p.Enum = []any{301, 302, 307, 308} })
	set(s.Definitions["Step"], "retry-after-as", func(p *jsonschema.Schema) { p.Enum = words(scenarios.WaitForms()) })
	conditions(s)
	delete(s.Definitions, "Property")
	delete(s.Definitions, "Reason")
	delete(s.Definitions, "Header")
	delete(s.Definitions, "State")
	delete(s.Definitions, "Thread")
	delete(s.Definitions, "MCPArgument")
	return schemaText(s)
}

// addComments has a schema say what the doc comments of some folders say.
func addComments(r *jsonschema.Reflector, folders ...string) error {
	for _, folder := range folders {
		if err := r.AddGoComments("github.com/loopproof/loopproof", folder); err != nil {
			return err
		}
	}
	return nil
}

// nameKeys replaces the names of Go fields in the descriptions of keys by the keys, which is what
// an author of a file knows. A name of one word is replaced only at the beginning, since elsewhere
// it may be an ordinary word.
func nameKeys(s *jsonschema.Schema) {
	if s.Properties == nil {
		return
	}
	keys := map[string]string{}
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		keys[strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(pair.Key))] = pair.Key
	}
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		words := strings.Split(pair.Value.Description, " ")
		for i, word := range words {
			name := strings.TrimRight(word, ".,:;")
			key := keys[strings.ToLower(name)]
			if key != "" && name != strings.ToLower(name) && (i == 0 || strings.ContainsAny(key, "-_")) {
				words[i] = "`" + key + "`" + word[len(name):]
			}
		}
		pair.Value.Description = strings.Join(words, " ")
		nameKeys(pair.Value)
	}
}

// schemaText writes a schema as a file. Line breaks in comments become spaces.
func schemaText(s *jsonschema.Schema) ([]byte, error) {
	for _, d := range s.Definitions {
		nameKeys(d)
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(bytes.ReplaceAll(text, []byte(`\n`), []byte(" ")), '\n'), nil
}

// conditions writes what conditions may be given as: a text to equal, or a mapping that says more.
func conditions(s *jsonschema.Schema) {
	text := s.Definitions["Text"]
	s.Definitions["Text"] = &jsonschema.Schema{
		Description: text.Description,
		OneOf:       []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}, {Type: "object", Properties: text.Properties, AdditionalProperties: jsonschema.FalseSchema}},
	}
	for _, key := range []string{"headers", "fields", "state"} {
		set(s.Definitions["When"], key, func(p *jsonschema.Schema) { byName(p, &jsonschema.Schema{Ref: "#/$defs/Text"}) })
	}
	delete(s.Definitions, "NamedText")
}

func quirkNames() []string {
	var names []string
	for _, q := range profiles.AllQuirks(profiles.All()) {
		names = append(names, q.Name)
	}
	return names
}

// special returns the schemas of types that read themselves.
func special(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9.]+(ms|s|m|h))+$`, Examples: []any{"50ms", "2s"}}
	case reflect.TypeFor[wire.Fields]():
		return &jsonschema.Schema{Type: "object"}
	case reflect.TypeFor[scenarios.Share]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string", Pattern: "^[0-9.]+%$"}, {Type: "number", Minimum: "0", Maximum: "1"}}, Examples: []any{"10%", 0.1}}
	case reflect.TypeFor[scenarios.FromSchema]():
		calls := jsonschema.NewProperties()
		calls.Set("calls", &jsonschema.Schema{Type: "integer", Minimum: "1", Maximum: "16"})
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "boolean"}, {Type: "object", Properties: calls, Required: []string{"calls"}, AdditionalProperties: jsonschema.FalseSchema}}, Examples: []any{true, map[string]int{"calls": 2}}}
	case reflect.TypeFor[scenarios.TokenChoice]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "number", Maximum: "0"}, Examples: []any{map[string]float64{"Yes": -0.1, "No": -2.4}}}
	case reflect.TypeFor[scenarios.Vector]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "array", Items: &jsonschema.Schema{Type: "number"}}, {Type: "string"}}}
	case reflect.TypeFor[scenarios.Pattern]():
		return &jsonschema.Schema{Type: "string", Format: "regex"}
	case reflect.TypeFor[scenarios.Amount]():
		return &jsonschema.Schema{Type: "string", Pattern: "^([0-9]+ events?|each event)$", Examples: []any{"3 events", "each event"}}
	case reflect.TypeFor[profiles.Words]():
		text := &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "null"}}}
		properties := jsonschema.NewProperties()
		properties.Set("message", &jsonschema.Schema{Type: "string"})
		for _, key := range []string{"type", "param", "code"} {
			properties.Set(key, text)
		}
		properties.Set("details", &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "object"}})
		return &jsonschema.Schema{Type: "object", Properties: properties, AdditionalProperties: jsonschema.FalseSchema}
	}
	return nil
}

// set changes the schema of a key, which has to be there.
func set(s *jsonschema.Schema, key string, change func(*jsonschema.Schema)) {
	p, ok := s.Properties.Get(key)
	if !ok {
		panic(fmt.Sprintf("docgen: there is no key %s any more", key))
	}
	change(p)
}

// jsonText is the schema of a text that may be written as what its JSON says.
func jsonText(description string) jsonschema.Schema {
	return jsonschema.Schema{Description: description, OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}, {Type: "object"}, {Type: "array"}}}
}

// byName makes a list that files write as a mapping of names.
func byName(s *jsonschema.Schema, value *jsonschema.Schema) {
	*s = jsonschema.Schema{Type: "object", Description: s.Description, AdditionalProperties: value}
}

func enum[T ~string](of []T) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: words(of)}
}

func words[T ~string](of []T) []any {
	list := make([]any, len(of))
	for i, w := range of {
		list[i] = strings.TrimSpace(string(w))
	}
	return list
}
