package form_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestAgreesWithAStandardLibrary: what the checker says of the mutants of a form, a library for
// JSON Schema says of them by the schema that the form stands for.
func TestAgreesWithAStandardLibrary(t *testing.T) {
	t.Run("responses", func(t *testing.T) {
		agrees(t, responses.Form(), "../dialect/responses/responsesrules/testdata/request.json")
	})
	t.Run("chat", func(t *testing.T) { agrees(t, chat.Form(), "../dialect/chat/chatrules/testdata/request.json") })
}

func agrees(t *testing.T, f *form.Form, file string) {
	request, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(schemaOf(f))
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	same := func(name string, body []byte) {
		var value any
		if err := json.Unmarshal(body, &value); err != nil {
			t.Fatal(err)
		}
		theirs, ours := resolved.Validate(value), check(f, body, nil).Breaches
		if (theirs == nil) != (len(ours) == 0) {
			t.Errorf("%s: the library says %v, the checker finds %v\n%s", name, theirs, ours, body)
		}
	}
	same("the request", request)
	for _, body := range nulls(request) {
		same("the request with null", body)
	}
	mutants := f.Mutants()
	for i := range mutants {
		body, _, ok := mutants[i].Of(request)
		if !ok {
			t.Fatalf("%s has no place", mutants[i].ID())
		}
		same(mutants[i].ID(), body)
	}
}

// nulls returns a document with each of its values that are neither objects nor lists made null in
// turn.
func nulls(body []byte) (all [][]byte) {
	root := wire.Parsed(body)
	root.Walk(func(n *wire.Node) {
		if n.Kind == wire.Object || n.Kind == wire.Array || n.Parent() == nil || n.Parent().Kind != wire.Object {
			return
		}
		other := wire.Parsed(body)
		at := other.At(n.Pointer())
		at.Parent().Set(at.Key(), nil)
		all = append(all, other.JSON())
	})
	return all
}

type object = map[string]any

// schemaOf writes what a form judges as a JSON Schema of draft 2020-12.
func schemaOf(f *form.Form) object {
	defs := object{}
	for _, n := range f.Nodes {
		defs[n.Name] = of(n.Node)
	}
	return object{"$ref": "#/$defs/request", "$defs": with(defs, "request", of(f.Request))}
}

// of writes a node, for a value that is there.
func of(n *form.Node) object {
	var all []any
	add := func(schema object) { all = append(all, schema) }
	inner := inside(n)
	if len(n.Type) > 0 && n.Judges("type") {
		add(object{"type": n.Type})
	}
	if len(n.Type) > 0 && !n.Judges("type") { // what has another type is not looked at
		inner = object{"if": object{"type": n.Type}, "then": inner}
	}
	add(inner)
	return object{"allOf": all}
}

// inside writes what a node says besides the type.
func inside(n *form.Node) object {
	var all []any
	add := func(schema object) { all = append(all, schema) }
	if n.Is != "" {
		add(object{"$ref": "#/$defs/" + n.Is})
	}
	if n.Judges("enum") {
		either := []any{object{"enum": n.Enum}}
		if len(n.Wrong) > 0 {
			either = []any{object{"not": object{"enum": n.Wrong}}}
		}
		if n.Or != "" {
			either = append(either, object{"type": n.Or})
		}
		add(object{"anyOf": either})
	}
	for keyword, limit := range map[string]*int{
		"minimum": n.Minimum, "maximum": n.Maximum, "minLength": &n.MinLength, "maxLength": &n.MaxLength,
		"minItems": &n.MinItems, "maxItems": n.MaxItems, "maxProperties": n.MaxProperties,
	} {
		if n.Judges(keyword) {
			add(object{keyword: *limit})
		}
	}
	if n.Judges("pattern") {
		add(object{"type": "string", "pattern": n.Pattern})
	}
	if n.Judges("prefix") {
		add(object{"pattern": "^(" + n.Prefix + "|$)"})
	}
	if n.Items != nil {
		add(object{"items": of(n.Items)})
	}
	if n.Judges("anyOf") {
		var either []any
		for _, key := range n.AnyOf {
			given := object{"not": object{"type": "null"}}
			for _, p := range n.Properties {
				if p.Name == key && len(p.Node.Type) > 0 {
					given["type"] = p.Node.Type
				}
			}
			either = append(either, object{"required": []any{key}, "properties": object{key: given}})
		}
		add(object{"anyOf": either})
	}
	for _, p := range n.Properties {
		addProperty(add, p)
	}
	if n.Judges("forbidden") {
		none := object{}
		for _, key := range n.Forbidden {
			none[key] = false
		}
		add(object{"properties": none})
	}
	if n.Additional != nil || n.PropertyNames != nil {
		addOthers(add, n)
	}
	if n.Judges("keys") {
		known := object{}
		for _, p := range n.Properties {
			known[p.Name] = true
		}
		for _, key := range slices.Concat(*n.Keys, forbiddenIn(n)) {
			known[key] = true
		}
		add(object{"properties": known, "additionalProperties": false})
	}
	if n.By != "" {
		addUnion(add, n)
	}
	return object{"allOf": append(all, true)}
}

// addProperty adds what a property says of its object.
func addProperty(add func(object), p form.Named) {
	value := of(p.Node)
	given := object{"required": []any{p.Name}, "properties": object{p.Name: object{"not": object{"type": "null"}}}}
	switch {
	case p.Node.Judges("insteadOf"):
		add(object{"if": object{"type": "object"}, "then": object{"not": object{"required": []any{p.Name}}}})
		return
	case p.Node.Judges("deprecated"):
		add(object{"if": object{"type": "object"}, "then": object{"properties": object{p.Name: object{"type": "null"}}}})
	case p.Node.Judges("required"):
		add(object{"if": object{"type": "object"}, "then": object{"required": []any{p.Name}}})
	default:
		value = object{"anyOf": []any{object{"type": "null"}, value}}
	}
	add(object{"properties": object{p.Name: value}})
	if p.Node.Judges("notWith") {
		other := object{"required": []any{p.Node.NotWith}, "properties": object{p.Node.NotWith: object{"not": object{"type": "null"}}}}
		add(object{"not": object{"type": "object", "allOf": []any{given, other}}})
	}
	if p.Node.Judges("with") {
		add(object{"if": objectOf(given), "then": object{"required": []any{p.Node.With}, "properties": object{p.Node.With: object{"not": object{"type": "null"}}}}})
	}
	for _, with := range p.Node.OnlyWith {
		says := any(with.Says[0])
		if with.Says[0] == "true" {
			says = true
		}
		add(object{"if": objectOf(given), "then": is(with.Name, says)})
	}
}

// addOthers adds what is said of the keys that have no node of their own.
func addOthers(add func(object), n *form.Node) {
	if names := n.PropertyNames; names != nil {
		said := object{}
		if names.Pattern != "" {
			said["pattern"] = names.Pattern
		}
		if names.MaxLength > 0 {
			said["maxLength"] = names.MaxLength
		}
		add(object{"propertyNames": said})
	}
	if n.Additional != nil {
		add(object{"additionalProperties": of(n.Additional)})
	}
}

// forbiddenIn are the keys that a node leaves to another rule.
func forbiddenIn(n *form.Node) []string {
	if n.Is == "private" {
		return chat.Form().Nodes[slices.IndexFunc(chat.Form().Nodes, func(of form.Named) bool { return of.Name == n.Is })].Node.Forbidden
	}
	return n.Forbidden
}

// addUnion adds the schemas of the kinds of an object.
func addUnion(add func(object), n *form.Node) {
	var kinds []any
	for _, v := range n.Of {
		kinds = append(kinds, kindOf(n, v.Name))
		add(object{"if": kindOf(n, v.Name), "then": of(v.Node)})
	}
	if n.Else != nil {
		add(object{"if": object{"anyOf": append(slices.Clone(kinds), false)}, "else": of(n.Else)})
	}
	if !n.Judges("by") {
		return
	}
	for _, word := range n.Enum {
		kinds = append(kinds, kindOf(n, word))
	}
	if n.Like != "" {
		kinds = append(kinds, object{"type": "object", "required": []any{n.By}, "properties": object{n.By: object{"type": "string", "pattern": n.Like}}})
	}
	add(object{"anyOf": kinds})
}

// kindOf is the schema of the objects of a kind, as packages responses and chat read it: an item of
// the input may leave its type out, a message of the assistant may call tools, and a call or a tool
// that is of no other type is of a function.
func kindOf(n *form.Node, word string) object {
	untyped := object{"not": object{"required": []any{"type"}}}
	calling := object{"type": "object", "required": []any{"tool_calls"}, "properties": object{"tool_calls": object{"type": "array", "minItems": 1}}}
	switch n.As + " " + word {
	case "item message":
		return object{"anyOf": []any{is(n.By, word), object{"type": "object", "required": []any{"role"}, "allOf": []any{untyped}}}}
	case "item item_reference":
		alone := object{"type": "object", "required": []any{"id"}, "properties": object{"id": object{"type": "string"}, "type": object{"type": "null"}}, "additionalProperties": false}
		return object{"anyOf": []any{is(n.By, word), alone}}
	case "message assistant":
		return object{"allOf": []any{is(n.By, word), object{"not": calling}}}
	case "message calling assistant":
		return object{"allOf": []any{is(n.By, "assistant"), calling}}
	case "call function":
		return object{"not": is(n.By, "custom")}
	case "tool function":
		named := object{"type": "object", "required": []any{"type"}, "properties": object{"type": object{"type": "string", "minLength": 1}}}
		return object{"anyOf": []any{is(n.By, word), object{"not": named}}}
	default:
		return is(n.By, word)
	}
}

// is the schema of objects with a word under a key.
func is(key string, word any) object {
	return object{"type": "object", "required": []any{key}, "properties": object{key: object{"const": word}}}
}

func with(o object, key string, value any) object {
	o[key] = value
	return o
}

func objectOf(o object) object { return object{"type": "object", "allOf": []any{o}} }
