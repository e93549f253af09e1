package strictyaml

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/wire"
)

// Writer is a type that says itself how it is written. One that is a [Reader] has to be one to be
// written.
type Writer interface {
	WriteYAML() string
}

// Write returns a value as YAML that [Read] reads again. Fields without a value are left out; the
// others are in the order of their type.
func Write(v any) ([]byte, error) {
	n, err := nodeOf(reflect.ValueOf(v))
	if err != nil {
		return nil, err
	}
	flow(n, 0)
	return yaml.Dump(n, yaml.WithLineWidth(-1), yaml.WithCompactSeqIndent(false))
}

var writerType = reflect.TypeFor[Writer]()

func nodeOf(v reflect.Value) (*yaml.Node, error) {
	switch {
	case v.Kind() == reflect.Pointer:
		return nodeOf(v.Elem())
	case v.Type().Implements(writerType):
		return scalar("!!str", v.Interface().(Writer).WriteYAML()), nil
	case reflect.PointerTo(v.Type()).Implements(readerType):
		return nil, fmt.Errorf("strictyaml: a %s cannot be written", v.Type())
	case v.Type() == durationType:
		return scalar("!!str", time.Duration(v.Int()).String()), nil
	case v.Type() == fieldsType:
		return jsonNode(v.Interface().(wire.Fields))
	}
	switch v.Kind() {
	case reflect.String:
		return scalar("!!str", v.String()), nil
	case reflect.Bool:
		return scalar("!!bool", strconv.FormatBool(v.Bool())), nil
	case reflect.Int, reflect.Int64:
		return scalar("!!int", strconv.FormatInt(v.Int(), 10)), nil
	case reflect.Slice:
		return listNode(v)
	case reflect.Struct:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		return n, addFields(n, v)
	default:
		return nil, fmt.Errorf("strictyaml: a %s cannot be written", v.Type())
	}
}

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// jsonNode returns a JSON object as YAML, without the quotes that it does not need.
func jsonNode(fields wire.Fields) (*yaml.Node, error) {
	var n yaml.Node
	if err := yaml.Load(fields.JSON(), &n); err != nil {
		return nil, err
	}
	unquote(&n)
	return n.Content[0], nil
}

func unquote(n *yaml.Node) {
	n.Style = 0
	for _, c := range n.Content {
		unquote(c)
	}
}

// listNode returns a list, or the mapping that one of named entries is.
func listNode(v reflect.Value) (*yaml.Node, error) {
	shape := shapeOf(v.Type().Elem())
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	if shape.key >= 0 {
		n = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	for i := range v.Len() {
		entry := v.Index(i)
		if shape.key >= 0 {
			n.Content = append(n.Content, scalar("!!str", entry.Field(shape.key).String()))
		}
		if shape.key >= 0 && shape.value >= 0 {
			entry = entry.Field(shape.value)
		}
		value, err := nodeOf(entry)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, value)
	}
	return n, nil
}

// addFields adds those fields of a struct that have a value.
func addFields(n *yaml.Node, v reflect.Value) error {
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("yaml")
		if tag == ",inline" {
			if err := addFields(n, v.Field(i)); err != nil {
				return err
			}
			continue
		}
		if !isKey(tag) || v.Field(i).IsZero() {
			continue
		}
		tag, _, _ = strings.Cut(tag, ",")
		value, err := nodeOf(v.Field(i))
		if err != nil {
			return err
		}
		n.Content = append(n.Content, scalar("!!str", tag), value)
	}
	return nil
}

// Lists and mappings that are this deep in a file are written in one line if they are no wider.
const (
	flowDepth = 3
	flowWidth = 110
)

// flow writes in one line what is short: lists of words anywhere, and the rest deep inside.
func flow(n *yaml.Node, depth int) {
	words := n.Kind == yaml.SequenceNode && depth > 0 && allScalars(n)
	if n.Kind != yaml.ScalarNode && (words || depth >= flowDepth) && width(n) <= flowWidth {
		n.Style |= yaml.FlowStyle
		return
	}
	for _, c := range n.Content {
		flow(c, depth+1)
	}
}

func allScalars(n *yaml.Node) bool {
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode {
			return false
		}
	}
	return true
}

// width is about how wide a node is in one line. Texts of several lines are too wide for any.
func width(n *yaml.Node) int {
	sum := len(n.Value) + 2
	if strings.Contains(n.Value, "\n") {
		sum += flowWidth
	}
	for _, c := range n.Content {
		sum += width(c)
	}
	return sum
}
