package strictyaml

import (
	"encoding/json"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/wire"
)

// JSON returns a YAML value as a value that [wire.JSON] writes, with its keys in the order of the
// file.
func JSON(n *Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return fieldsJSON(n)
	case yaml.SequenceNode:
		items := make([]any, len(n.Content))
		for i, c := range n.Content {
			item, err := JSON(c)
			if err != nil {
				return nil, err
			}
			items[i] = item
		}
		return items, nil
	default:
		return scalarJSON(n)
	}
}

func fieldsJSON(n *Node) (any, error) {
	fields, lines := wire.Fields{}, map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := checkKey(n.Content[i], lines); err != nil {
			return nil, err
		}
		value, err := JSON(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		fields = fields.With(n.Content[i].Value, value)
	}
	return fields, nil
}

func scalarJSON(n *Node) (any, error) {
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool":
		return isTrue(n), nil
	case "!!int", "!!float":
		if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			return i, nil
		}
		if !json.Valid([]byte(n.Value)) {
			return nil, At(n, "JSON has no number %s; write it in decimal, or in quotes for a text", n.Value)
		}
		return wire.Raw(n.Value), nil
	default:
		return n.Value, nil
	}
}
