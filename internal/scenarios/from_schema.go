package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/schemasample"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// FromSchema is how many calls an answer makes of the schemas of a request, where it makes calls; 0:
// it is not made of a schema. A file writes true for one call, or {calls: 2}.
type FromSchema int

// maxFitted is the most calls that an answer makes of schemas.
const maxFitted = 16

var errFromSchema = fmt.Errorf("expected true, or {calls: N} with N from 1 to %d", maxFitted)

// ReadYAML reads true, false or how many calls.
func (f *FromSchema) ReadYAML(n *strictyaml.Node) error {
	value := n.Value
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "calls" {
		value = n.Content[1].Value
	}
	number, err := strconv.Atoi(value)
	switch {
	case value == "true":
		*f = 1
	case value == "false":
		*f = 0
	case n.Kind == yaml.MappingNode && err == nil && number >= 1 && number <= maxFitted:
		*f = FromSchema(number)
	default:
		return errFromSchema
	}
	return nil
}

// fit makes the text of a step, or its calls, the plainest that fit what the request asks for: calls
// where one is demanded, or else a text where JSON is wanted, or else calls of the tools in their order.
func (s *Step) fit(a Ask, number int) error {
	d := a.Demands()
	var offered []wire.ToolDefinition
	for _, t := range a.Request.Tools {
		if !t.Own && !t.Deferred && (len(d.Tools.Only) == 0 || slices.Contains(d.Tools.Only, t.Name)) {
			offered = append(offered, t)
		}
	}
	calls := len(offered) > 0 && d.Tools.Choice != wire.ChoiceNone
	if d.WantsJSON && !(calls && d.Tools.Choice == wire.ChoiceRequired) {
		text, err := sample(d.Wished, d.FormatKey)
		s.Text = &text
		return err
	}
	if !calls {
		return errors.New("its answer is made of a schema, and the request has none: it wants no JSON, and offers no tool")
	}
	s.Calls = nil // those of the script are none
	for i := range int(s.FromSchema) {
		c, err := fittedCall(offered[i%len(offered)])
		if err != nil {
			return err
		}
		c.As = callName(number, i)
		s.Calls = append(s.Calls, c)
	}
	return nil
}

func fittedCall(t wire.ToolDefinition) (Call, error) {
	if t.FreeText {
		return Call{Tool: t.Name, Arguments: "text"}, nil
	}
	arguments, err := sample(t.Parameters, "tool "+t.Name)
	return Call{Tool: t.Name, Arguments: arguments}, err
}

// sample returns the plainest document of a schema of a request; without one it is {}.
func sample(schema *wire.Node, of string) (string, error) {
	if !schema.Is(wire.Object) || len(schema.Members) == 0 {
		return "{}", nil
	}
	document, err := schemasample.Of(schema)
	if err != nil {
		return "", fmt.Errorf("no answer is made of the schema of its %s: %w", of, err)
	}
	return string(document), nil
}
