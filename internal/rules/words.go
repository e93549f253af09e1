package rules

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// shown is how much of a text a finding shows, in runes.
const shown = 160

// quote returns a text in quotes, shortened where it is long.
func quote(s string) string {
	if r := []rune(s); len(r) > shown {
		return fmt.Sprintf("%q… (%d characters)", string(r[:shown]), len(r))
	}
	return fmt.Sprintf("%q", s)
}

// show returns the JSON of a value, shortened where it is long.
func show(n *wire.Node) string {
	if n == nil {
		return "nothing"
	}
	if r := []rune(string(n.Raw)); len(r) > shown {
		return string(r[:shown]) + "…"
	}
	return string(n.Raw)
}

// kindOf says what stands in a place: nothing, null, a string, an empty string and so on.
func kindOf(n *wire.Node) string {
	empty := n.Is(wire.String) && n.Text() == "" || n.Is(wire.Array) && len(n.Items) == 0 || n.Is(wire.Object) && len(n.Keys()) == 0
	kind := n.Type().String()
	if empty {
		return "an empty " + kind[strings.IndexByte(kind, ' ')+1:]
	}
	return kind
}

func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
