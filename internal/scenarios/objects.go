package scenarios

import (
	"fmt"
	"strings"
	"text/template/parse"

	"github.com/loopproof/loopproof/internal/wire"
)

// The texts of a step that are JSON, such as arguments, may be written as YAML: then what they say
// is an object, and each text in it may have places of its own.

// openObjects makes one template of each text of a script that is written as an object, in which
// what is filled in is part of a JSON string. A conversation has no templates.
func (s *Scenario) openObjects() {
	if s.Prompt != "" || len(s.Prompts) > 0 {
		return
	}
	for i := range s.Model {
		s.Model[i].eachText(func(key string, text *string) {
			if !templated(*text) {
				return
			}
			if value, is := s.doc.JSONAt(at("model", i) + key); is {
				*text = templateOf(value)
			}
		})
	}
}

// templateOf returns the JSON of a value as a template.
func templateOf(value any) string {
	switch v := value.(type) {
	case wire.Fields:
		all := make([]string, len(v))
		for i, f := range v {
			all[i] = strings.ReplaceAll(string(wire.Quote(f.Key)), "{{", `{\u007b`) + ":" + templateOf(f.Value)
		}
		return "{" + strings.Join(all, ",") + "}"
	case []any:
		all := make([]string, len(v))
		for i, item := range v {
			all[i] = templateOf(item)
		}
		return "[" + strings.Join(all, ",") + "]"
	case string:
		return stringTemplate(v)
	default:
		return string(wire.JSON(v))
	}
}

// stringTemplate returns a JSON string as a template. A text that cannot be read as one is left as
// it is, so that the check of all texts says why.
func stringTemplate(text string) string {
	if !templated(text) {
		return string(wire.Quote(text))
	}
	tree, err := readTemplate(text)
	if err != nil {
		return text
	}
	return `"` + insideString(tree.Root) + `"`
}

// insideString writes the nodes of a template so that all they give is part of a JSON string.
func insideString(nodes *parse.ListNode) string {
	var b strings.Builder
	for _, n := range nodes.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			b.WriteString(inJSON(string(n.Text)))
		case *parse.ActionNode:
			fmt.Fprintf(&b, "{{%s | in_json}}", n.Pipe)
		case *parse.IfNode:
			fmt.Fprintf(&b, "{{if %s}}%s", n.Pipe, insideString(n.List))
			if n.ElseList != nil {
				fmt.Fprintf(&b, "{{else}}%s", insideString(n.ElseList))
			}
			b.WriteString("{{end}}")
		default: // which no template may have
			b.WriteString(n.String())
		}
	}
	return b.String()
}

// inJSON returns a text as it is within the quotes of a JSON string.
func inJSON(text any) string {
	quoted := wire.Quote(fmt.Sprint(text))
	return string(quoted[1 : len(quoted)-1])
}
