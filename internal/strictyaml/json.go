package strictyaml

import (
	"encoding/json"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/wire"
)

// JSON returns a YAML value as a value that [wire.JSON] writes, with its keys in the order of the file. A list holds
// mappings only, or nothing.
func JSON(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		fields := wire.Fields{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := JSON(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			fields = fields.With(n.Content[i].Value, v)
		}
		return fields, nil
	case yaml.SequenceNode:
		items := []wire.Fields{}
		for _, c := range n.Content {
			v, err := JSON(c)
			if err != nil {
				return nil, err
			}
			f, ok := v.(wire.Fields)
			if !ok {
				return nil, fmt.Errorf("a list here holds mappings only")
			}
			items = append(items, f)
		}
		return items, nil
	default:
		return scalarJSON(n), nil
	}
}

func scalarJSON(n *yaml.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	case "!!int":
		if i, err := strconv.Atoi(n.Value); err == nil {
			return i
		}
	case "!!float":
		if json.Valid([]byte(n.Value)) {
			return wire.Raw(n.Value)
		}
	}
	return n.Value
}
