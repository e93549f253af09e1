package stubs

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// stringify writes a value as JSON.stringify of JavaScript does: without spaces, and with no escape
// that is not needed.
func stringify(n *wire.Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n *wire.Node) {
	switch {
	case n.Is(wire.Object):
		b.WriteByte('{')
		for i, m := range members(n) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(m.Key) + ":")
			write(b, m.Value)
		}
		b.WriteByte('}')
	case n.Is(wire.Array):
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	case n.Is(wire.String):
		b.WriteString(quote(n.Text()))
	default:
		b.WriteString(number(string(n.Raw)))
	}
}

// number writes a whole number without a fraction of zeros. Anything else stays as it is.
func number(raw string) string {
	if f, err := strconv.ParseFloat(raw, 64); err == nil && strings.ContainsAny(raw, ".eE") && f == float64(int64(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	return raw
}

func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

// unknown returns the keys of an object that are not among those that are known.
func unknown(n *wire.Node, known ...string) []string {
	return slices.DeleteFunc(n.Keys(), func(key string) bool { return slices.Contains(known, key) })
}

// milliseconds writes a duration as scripts do.
func milliseconds(ms float64) string { return strconv.FormatFloat(ms, 'f', -1, 64) + "ms" }

func percent(share float64) string { return strconv.FormatFloat(share*100, 'f', -1, 64) + "%" }

// members returns the keys of an object with their values, and none of what is no object.
func members(n *wire.Node) []wire.Member {
	if n == nil {
		return nil
	}
	return n.Members
}
