package rules

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/wire"
)

// DescribeCalls lists calls for a finding, each with its tool and arguments.
func DescribeCalls(calls []wire.AnswerCall) string {
	var words []string
	for _, c := range calls {
		words = append(words, c.Name+" "+Quote(c.Arguments))
	}
	return List(words)
}

// MaxShown is the length in runes to which a finding shortens a text.
const MaxShown = 160

// Quote returns a text in quotes, shortened where it is long.
func Quote(s string) string {
	if r := []rune(s); len(r) > MaxShown {
		return fmt.Sprintf("%q… (%d characters)", string(r[:MaxShown]), len(r))
	}
	return fmt.Sprintf("%q", s)
}

// quoteEnds returns a text in quotes. A long one is shown as its beginning and its end, each in
// quotes: either may say what a message is about.
func quoteEnds(s string) string {
	r := []rune(s)
	if len(r) <= MaxShown {
		return Quote(s)
	}
	const first = MaxShown * 2 / 5
	return fmt.Sprintf("%q … %q (%d characters)", string(r[:first]), string(r[len(r)-(MaxShown-first):]), len(r))
}

// Show returns the JSON of a value, shortened where it is long.
func Show(n *wire.Node) string {
	if n == nil {
		return "nothing"
	}
	first := n.Raw[:min(len(n.Raw), utf8.UTFMax*(MaxShown+1))] // a value may have megabytes, and be shown in many findings
	if r := []rune(string(first)); len(r) > MaxShown {
		return string(r[:MaxShown]) + "…"
	}
	return string(n.Raw)
}

// KindOf describes what a place contains: nothing, null, a string, an empty string and so on.
func KindOf(n *wire.Node) string {
	empty := n.Is(wire.String) && n.Text() == "" || n.Is(wire.Array) && len(n.Items) == 0 || n.Is(wire.Object) && len(n.Keys()) == 0
	kind := n.Type().String()
	if empty {
		return "an empty " + kind[strings.IndexByte(kind, ' ')+1:]
	}
	return kind
}

// SchemaKindOf is KindOf in the terms of JSON Schema: an integer is a kind of its own, and an empty
// value is not a special case.
func SchemaKindOf(n *wire.Node) string {
	if !n.Is(wire.Number) {
		return n.Type().String()
	}
	value, is := n.Float()
	switch {
	case !is:
		return "a number"
	case value == math.Trunc(value):
		return "an integer"
	default:
		return "a decimal number"
	}
}

// List joins words with commas; nothing is "none".
func List(words []string) string { return listOf(words, len(words)) }

// ListCalls lists the ids of calls.
func ListCalls(calls []wire.Call) string {
	return listOf(CallIDs(wire.Message{Calls: calls[:min(len(calls), mostListed)]}), len(calls))
}

// listOf lists the first of so many words.
func listOf(words []string, count int) string {
	if count == 0 {
		return "none"
	}
	if more := count - mostListed; more > 0 {
		return fmt.Sprintf("%s, … and %d more", strings.Join(words[:mostListed], ", "), more)
	}
	return strings.Join(words, ", ")
}

// mostListed is how many words a list has, so that a finding about thousands of calls can be read.
const mostListed = 50

// Plural counts things in words.
func Plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// QuotedList lists words as 'a', 'b', and 'c', or without the last comma.
func QuotedList(words []string, last string, comma bool) string {
	if len(words) == 0 {
		return ""
	}
	said := make([]string, len(words))
	for i, word := range words {
		said[i] = "'" + word + "'"
	}
	end := said[len(said)-1]
	switch rest := said[:len(said)-1]; {
	case len(rest) == 0:
		return end
	case len(rest) == 1 || !comma:
		return strings.Join(rest, ", ") + " " + last + " " + end
	default:
		return strings.Join(rest, ", ") + ", " + last + " " + end
	}
}
