package scenarios

import (
	"errors"
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/schemasample"
	"github.com/loopproof/loopproof/internal/wire"
)

// fit makes the text of a step, or its call, the plainest that fits what the request asks for: a
// call where one is demanded, or else a text where JSON is wanted, or else a call of the first tool.
func (s *Step) fit(a Ask, number int) error {
	d := a.Demands()
	offered := func(t wire.ToolDefinition) bool {
		return !t.Own && !t.Deferred && (len(d.Tools.Only) == 0 || slices.Contains(d.Tools.Only, t.Name))
	}
	tool := slices.IndexFunc(a.Request.Tools, offered)
	calls := tool >= 0 && d.Tools.Choice != wire.ChoiceNone
	if d.WantsJSON && !(calls && d.Tools.Choice == wire.ChoiceRequired) {
		text, err := sample(d.Wished, d.FormatKey)
		s.Text = &text
		return err
	}
	if !calls {
		return errors.New("its answer is made of a schema, and the request has none: it wants no JSON, and offers no tool")
	}
	t := a.Request.Tools[tool]
	if t.FreeText {
		s.Calls = []Call{{As: callName(number, 0), Tool: t.Name, Arguments: "text"}}
		return nil
	}
	arguments, err := sample(t.Parameters, "tool "+t.Name)
	s.Calls = []Call{{As: callName(number, 0), Tool: t.Name, Arguments: arguments}}
	return err
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
