package form

import (
	"cmp"
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// protobuf is how requests are read by an API whose types are messages of protobuf, as
// https://protobuf.dev/programming-guides/json/ and the parser of protobuf 21.12 have it
// (src/google/protobuf/util/internal): a key has two spellings, one value stands for a list of one,
// null for nothing, a text for a number or a flag, and a word of an enum is in capitals or not.
const protobuf = "protobuf"

// protos reports whether requests are read as protobuf reads them.
func (f *Form) protos() bool { return f.JSON == protobuf }

// Camel returns a key in the spelling of JSON: functionCall for function_call.
func Camel(key string) string {
	if strings.IndexByte(key, '_') < 0 {
		return key
	}
	var b []byte
	for i := 0; i < len(key); i++ {
		if key[i] == '_' && i+1 < len(key) && key[i+1] >= 'a' && key[i+1] <= 'z' {
			i++
			b = append(b, key[i]-'a'+'A')
			continue
		}
		b = append(b, key[i])
	}
	return string(b)
}

// Snake returns a key in the spelling of the protos: system_instruction for systemInstruction.
func Snake(key string) string {
	var b strings.Builder
	for _, c := range key {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Word returns a word of an enum as protos write it: LOW for low, HARM_CATEGORY for harm-category
// (datapiece.cc, ToEnum).
func Word(said string) string { return strings.ReplaceAll(strings.ToUpper(said), "-", "_") }

// Number reads a number, which may be written as a text.
func Number(n *wire.Node) (float64, bool) {
	if n == nil {
		return 0, false
	}
	text := string(n.Raw)
	if n.Is(wire.String) {
		text = n.Text()
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// flagWords are the texts that stand for a flag, in small letters or not: safe_strtob of protobuf.
var flagWords = []string{"true", "t", "yes", "y", "1", "false", "f", "no", "n", "0"}

// IsFlag reports whether a value stands for a flag (datapiece.cc, ToBool).
func IsFlag(n *wire.Node) bool {
	return n.Is(wire.Bool) || n.Is(wire.String) && slices.Contains(flagWords, strings.ToLower(n.Text()))
}

// IsBase64 reports whether a text is base64 as parsers of protobuf take it: of either alphabet, with
// or without padding.
func IsBase64(text string) bool {
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if _, err := encoding.DecodeString(text); err == nil {
			return true
		}
	}
	return false
}

// fitsProto is fits for a value as protobuf reads it.
func fitsProto(t, format string, v *wire.Node) bool {
	switch t {
	case "boolean":
		return IsFlag(v)
	case "number":
		_, is := Number(v)
		return is
	case "integer":
		number, is := Number(v)
		return is && number == math.Trunc(number) && (format == "int64" || number == float64(int32(number)))
	default:
		return v.Is(kinds[t])
	}
}

// places returns where an object has a key in one of its two spellings. There is one place also
// where there is no value.
func (c *checker) places(p place, n *Node, key string) []place {
	var all []place
	for _, m := range p.value.Members {
		if m.Key == key || Camel(m.Key) == key && !slices.Contains(n.known, m.Key) {
			all = append(all, place{p.value, m.Key, m.Value})
		}
	}
	if all == nil {
		all = []place{{p.value, key, nil}}
	}
	return all
}

// beside returns what an object has under another key than that of a place.
func (c *checker) beside(p place, key string) *wire.Node {
	if v := p.in.Get(key); v != nil || p.in == nil || !c.form.protos() {
		return v
	}
	for _, m := range p.in.Members {
		if m.Key != p.key && Camel(m.Key) == key {
			return m.Value
		}
	}
	return nil
}

// contains reports whether a key is one of some, be it in the other spelling.
func (c *checker) contains(keys []string, key string) bool {
	return slices.Contains(keys, key) || c.form.protos() && slices.Contains(keys, Camel(key))
}

// isNothing reports whether a value is null, and as good as none. In a list it is not.
func (c *checker) isNothing(p place) bool {
	return c.form.protos() && p.value.Is(wire.Null) && p.key != ""
}

// inOrder puts breaches into the order of the request, in which a parser meets them.
func inOrder(breaches []wire.Breach) {
	at := func(b wire.Breach) int {
		if b.Value == nil {
			return b.In.Offset()
		}
		return b.Value.Offset()
	}
	slices.SortStableFunc(breaches, func(a, b wire.Breach) int { return cmp.Compare(at(a), at(b)) })
}
