package gemini

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

// Place returns where a value is, as Google writes it in errors about what a request says:
// contents[2].parts[0].function_response, parameters.properties[city].
func Place(n *wire.Node) string {
	return place(n, func(m *wire.Node) string { return "[" + m.Key() + "]" })
}

// Field returns where a value is, as Google writes it in errors about requests that cannot be read.
// A mapping is a list of keys and values there: parameters.properties[1].value.
// https://github.com/zed-industries/zed/issues/53919
func Field(n *wire.Node) string {
	return place(n, func(m *wire.Node) string {
		at := slices.IndexFunc(m.Parent().Members, func(other wire.Member) bool { return other.Value == m })
		return "[" + strconv.Itoa(at) + "].value"
	})
}

// place returns where a value is, given how an entry of a mapping is written.
func place(n *wire.Node, entry func(*wire.Node) string) string {
	parent := n.Parent()
	switch {
	case parent == nil:
		return ""
	case parent.Is(wire.Array):
		return place(parent, entry) + "[" + strconv.Itoa(n.Index()) + "]"
	case isMapping(parent):
		return place(parent, entry) + entry(n)
	default:
		return Under(place(parent, entry), n.Key())
	}
}

// Under returns the place of a key, given that of its object.
func Under(place, key string) string { return strings.TrimPrefix(place+"."+form.Snake(key), ".") }

// FieldName returns the name of the field that has a value, or the list that it is in.
func FieldName(n *wire.Node) string {
	if n.Parent().Is(wire.Array) {
		return FieldName(n.Parent())
	}
	return form.Snake(n.Key())
}

// isMapping reports whether an object has keys of the user's own: properties, which is no property
// of that name.
func isMapping(n *wire.Node) bool {
	return n.Key() == "properties" && n.Is(wire.Object) && !isMapping(n.Parent())
}
