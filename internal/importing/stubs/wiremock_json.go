package stubs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/wire"
)

// equalToJSON reads a body that the request has to have. A script compares its values one by one.
func (s *stub) equalToJSON(pattern *wire.Node) error {
	want := pattern.Get("equalToJson")
	if want.Is(wire.String) {
		parsed, err := wire.ParseNode([]byte(want.Text()))
		if err != nil {
			return fmt.Errorf("equalToJson is no JSON: %w", err)
		}
		want = parsed
	}
	if !pattern.Get("ignoreExtraElements").True() {
		s.differs("/request/bodyPatterns", "the request may have further fields")
	}
	ordered := false
	err := s.leaves(want, "", &ordered)
	if ordered && pattern.Get("ignoreArrayOrder").True() {
		s.differs("/request/bodyPatterns", "lists have to be in this order")
	}
	return err
}

func (s *stub) leaves(n *wire.Node, pointer string, ordered *bool) error {
	switch {
	case n.Is(wire.Object) && len(n.Members) > 0:
		for _, m := range members(n) {
			if err := s.leaves(m.Value, string(jsontext.Pointer(pointer).AppendToken(m.Key)), ordered); err != nil {
				return err
			}
		}
		return nil
	case n.Is(wire.Array) && len(n.Items) > 0:
		*ordered = *ordered || len(n.Items) > 1
		for i, item := range n.Items {
			if err := s.leaves(item, fmt.Sprintf("%s/%d", pointer, i), ordered); err != nil {
				return err
			}
		}
		return nil
	case n.Is(wire.String) && n.Text() == "${json-unit.ignore}":
		return nil
	case n.Is(wire.String) && strings.Contains(n.Text(), "${json-unit"):
		return fmt.Errorf("the placeholder %s has no counterpart in a script", n.Text())
	default:
		return demand(&s.step.When.Fields, pointer, Text{Equals: new(n.TextOrJSON())})
	}
}

// jsonPath reads a condition on a value of the body. A script names one value, so the path has to
// do so, too.
func (s *stub) jsonPath(n *wire.Node) error {
	text := something()
	not := false
	expression := n.Text()
	if n.Is(wire.Object) {
		expression = n.Get("expression").Text()
		condition := n.Clone()
		condition.Remove("expression")
		var err error
		if text, not, err = textOf(condition); err != nil {
			return err
		}
	} else if m := comparison().FindStringSubmatch(expression); m != nil {
		expression, text = "$."+m[1], Text{Equals: new(m[2] + m[3])}
	}
	pointer, ok := pointerOf(expression)
	if !ok {
		return fmt.Errorf("the JSONPath %s names no single value, and a script compares single values", expression)
	}
	if not {
		return s.not(&When{Fields: map[string]Text{pointer: text}})
	}
	return demand(&s.step.When.Fields, pointer, text)
}

var (
	// comparison is a filter of the whole body: $[?(@.model == 'gpt-5')].
	comparison = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\$\[\?\(\s*@\.([\w.\[\]]+)\s*==\s*(?:'([^']*)'|([\w.-]+))\s*\)\]$`)
	})

	// pathStep is one step of a path: .name, ['name'] or [0].
	pathStep = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\.([A-Za-z_][\w-]*)|\['([^']+)'\]|\["([^"]+)"\]|\[(\d+)\])`)
	})
)

// pointerOf returns the JSON pointer of a JSONPath that names one value.
func pointerOf(expression string) (string, bool) {
	rest, ok := strings.CutPrefix(expression, "$")
	var pointer jsontext.Pointer
	for ok && rest != "" {
		m := pathStep().FindStringSubmatch(rest)
		if m == nil {
			return "", false
		}
		pointer = pointer.AppendToken(m[1] + m[2] + m[3] + m[4])
		rest = rest[len(m[0]):]
	}
	return string(pointer), ok && pointer != ""
}

var errTemplate = errors.New("WireMock makes its answer by a template of the request")
