package rules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ContainsText reports whether a text, such as a tool message, contains another one: as it is, or
// inside JSON. White space around it does not count, nor how the JSON is written: some languages
// escape every letter beyond ASCII, and some loops parse a result that is JSON and write it again.
func ContainsText(text, said string) bool {
	said = strings.TrimSpace(said)
	return strings.Contains(text, said) || QuotesText(text, said) || holdsValue(text, said)
}

// QuotesText reports whether a text has another one inside a JSON string.
func QuotesText(text, said string) bool {
	if strings.Contains(text, InJSON(said)) && InJSON(said) != said {
		return true
	}
	found := false
	jsonIn(text).Walk(func(n *wire.Node) {
		if inner := n.Text(); !found && inner != "" && len(inner) < len(text) {
			found = strings.Contains(inner, said) || QuotesText(inner, said)
		}
	})
	return found
}

// holdsValue reports whether a text is JSON, or has JSON in it, with the value that another text
// has as JSON.
func holdsValue(text, said string) bool {
	value, err := wire.ParseNode([]byte(said))
	if err != nil {
		return false
	}
	found := false
	jsonIn(text).Walk(func(n *wire.Node) { found = found || wire.SameValue(n, value) })
	return found
}

// jsonIn returns the JSON in a text, which may have something before it and after it, or nil.
func jsonIn(text string) *wire.Node {
	start, end := strings.IndexAny(text, `{["`), strings.LastIndexAny(text, `}]"`)
	if start < 0 || end < start {
		return nil
	}
	node, err := wire.ParseNode([]byte(text[start : end+1]))
	if err != nil {
		return nil
	}
	return node
}

// InJSON returns a text as it looks inside a JSON string.
func InJSON(text string) string {
	q := string(wire.Quote(text))
	return q[1 : len(q)-1]
}
