package scenarios

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Tool returns the tool of a name, or nil.
func (s *Scenario) Tool(name string) *Tool {
	for i := range s.Tools {
		if s.Tools[i].Name == name {
			return &s.Tools[i]
		}
	}
	for i := range s.agents {
		if s.agents[i].Name == name {
			return &s.agents[i]
		}
	}
	return nil
}

// Properties returns the parameters at the top of the schema. The type of one whose schema names
// none, or several, is "" or "?".
func (t *Tool) Properties() []Property {
	if len(t.JSONSchema) == 0 {
		return t.Parameters
	}
	schema := wire.Parsed(t.JSONSchema.JSON())
	required := schema.Get("required").All()
	var all []Property
	for name, property := range schema.Get("properties").Fields() {
		p := Property{Name: name, Type: property.Get("type").Text()}
		if !slices.ContainsFunc(required, func(n *wire.Node) bool { return n.Text() == p.Name }) {
			p.Type += "?"
		}
		all = append(all, p)
	}
	return all
}

// Schema returns the parameters as a JSON Schema.
func (t *Tool) Schema() json.RawMessage {
	if len(t.JSONSchema) > 0 {
		return t.JSONSchema.JSON()
	}
	properties, required := wire.Fields{}, []string{}
	for _, p := range t.Parameters {
		typ, optional := strings.CutSuffix(p.Type, "?")
		property := wire.Fields{{Key: "type", Value: typ}}
		if typ == "array" { // Gemini refuses one that does not say what is in it
			property = property.With("items", wire.Fields{})
		}
		properties = properties.With(p.Name, property)
		if !optional {
			required = append(required, p.Name)
		}
	}
	names, _ := json.Marshal(required)
	return wire.Fields{
		{Key: "type", Value: "object"},
		{Key: "properties", Value: properties},
		{Key: "required", Value: wire.Raw(names)},
	}.JSON()
}

// Answer returns the result that the tool gives to arguments, and false when none fits. Blank
// arguments and null are for no arguments.
func (t *Tool) Answer(arguments string) (*Result, bool) {
	args, err := wire.ParseNode([]byte(arguments))
	if t.FreeText {
		args, err = wire.Parsed(wire.Fields{{Key: FreeInput, Value: arguments}}.JSON()), nil
	}
	if err != nil {
		args = nil
	}
	args = t.plainly(args)
	for i := range t.Results {
		if t.Results[i].fits(args) {
			return &t.Results[i], true
		}
	}
	return nil, false
}

// FreeInput is the name by which the results of a tool refer to its input, if that is a free text.
const FreeInput = "input"

func (r *Result) fits(args *wire.Node) bool {
	for _, want := range r.When {
		value, err := wire.ParseNode(wire.JSON(want.Value))
		if err != nil || !wire.SameValue(args.Get(want.Key), value) {
			return false
		}
	}
	return true
}

// covers reports whether the result is given wherever another one would be: each of its conditions
// is one of the other's.
func (r *Result) covers(other Result) bool {
	return !slices.ContainsFunc(r.When, func(want wire.Field) bool {
		return !slices.ContainsFunc(other.When, func(has wire.Field) bool {
			return has.Key == want.Key && bytes.Equal(wire.JSON(has.Value), wire.JSON(want.Value))
		})
	})
}

// Fails reports whether the tool fails.
func (r *Result) Fails() bool { return r.Fail != nil }

// Later returns the result as it is after so many runs.
func (r *Result) Later(runs int) *Result {
	if runs == 0 || len(r.Then) == 0 {
		return r
	}
	later := *r
	later.Text = r.Then[min(runs, len(r.Then))-1]
	return &later
}

// Output returns what is said by the result, or by the failure, in one text: its texts line by
// line, and then the structured content, unless a text is the same.
func (r *Result) Output() string {
	if !r.Several() {
		return r.first()
	}
	texts := slices.Concat(r.Texts(), r.Resources())
	if structured := r.StructuredText(); structured != "" && !slices.ContainsFunc(texts, func(t string) bool { return sameJSON(t, structured) }) {
		texts = append(texts, structured)
	}
	return strings.Join(texts, "\n")
}

func (r *Result) first() string {
	switch {
	case r.Fails():
		return *r.Fail
	case r.Repeat > 1:
		return strings.Repeat(r.Text, r.Repeat)
	default:
		return r.Text
	}
}

// Several reports whether the result has more than one text or one image.
func (r *Result) Several() bool { return len(r.More) > 0 || len(r.Structured) > 0 }

// Texts returns the texts of a result, one for each of its blocks that is a text.
func (r *Result) Texts() []string {
	var texts []string
	if first := r.first(); first != "" {
		texts = append(texts, first)
	}
	for _, b := range r.More {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return texts
}

// Resources returns the texts of the resources in a result.
func (r *Result) Resources() (texts []string) {
	for _, b := range r.More {
		if b.Resource != "" {
			texts = append(texts, b.Resource)
		}
	}
	return texts
}

// StructuredText returns the structured content as JSON, "" for none.
func (r *Result) StructuredText() string {
	if len(r.Structured) == 0 {
		return ""
	}
	return string(r.Structured.JSON())
}

// Pictured returns the kind of the image in a result, "" for none.
func (r *Result) Pictured() string {
	for _, b := range r.More {
		if b.Image != "" {
			return b.Image
		}
	}
	return r.Image
}

func sameJSON(a, b string) bool {
	x, err := wire.ParseNode([]byte(a))
	y, other := wire.ParseNode([]byte(b))
	return err == nil && other == nil && wire.SameValue(x, y)
}

// Trouble says what keeps a call from being run as it is.
type Trouble string

// The kinds of trouble.
const (
	NoTrouble       Trouble = ""
	UnknownTool     Trouble = "unknown-tool"
	NotJSON         Trouble = "not-json"
	SchemaViolation Trouble = "schema-breach"
)

// Trouble returns what is wrong with a call that the model made. "" and "null" stand for no
// arguments, as providers were seen to send for tools without parameters.
func (s *Scenario) Trouble(call wire.AnswerCall) Trouble {
	if call.Answer != "" {
		return NoTrouble
	}
	tool := s.Tool(call.Scripted())
	if tool == nil {
		return UnknownTool
	}
	if tool.FreeText {
		return NoTrouble
	}
	text := call.Arguments
	if wire.BlankArguments(text) {
		text = "{}"
	}
	args, err := wire.ParseNode([]byte(text))
	switch {
	case err != nil:
		return NotJSON
	case !tool.takes(args):
		return SchemaViolation
	default:
		return NoTrouble
	}
}

// takes reports whether arguments satisfy the parameters: an object with all that is required, each
// of its type.
func (t *Tool) takes(args *wire.Node) bool {
	if args = t.plainly(args); !args.Is(wire.Object) {
		return false
	}
	return !slices.ContainsFunc(t.Properties(), func(p Property) bool {
		typ, optional := strings.CutSuffix(p.Type, "?")
		value := args.Get(p.Name)
		if value == nil {
			return !optional
		}
		return typ != "" && !value.Is(kinds[typ]) || typ == "integer" && !whole(value)
	})
}

// whole reports whether a number has no fraction, in the sense of JSON Schema: 1.0 has none.
func whole(n *wire.Node) bool {
	f, is := n.Float()
	return is && f == math.Trunc(f)
}

var kinds = map[string]wire.Kind{
	"string": wire.String, "integer": wire.Number, "number": wire.Number, "boolean": wire.Bool, "object": wire.Object, "array": wire.Array,
}
