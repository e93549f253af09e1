package wire

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Fields is a JSON object that a codec writes: its keys keep the order in which they were added, as
// a provider's do.
type Fields []Field

// Field is one key of [Fields]. Value is a string, an int, an int64, a bool, nil, [Raw], Fields, a
// []Fields, a []Raw, or a []any of these.
type Field struct {
	Key   string
	Value any
}

// Raw is a value that is JSON already.
type Raw []byte

// With returns the object with one more key at its end.
func (f Fields) With(key string, value any) Fields { return append(f, Field{key, value}) }

// Without returns the object without a key.
func (f Fields) Without(key string) Fields {
	kept := make(Fields, 0, len(f))
	for _, field := range f {
		if field.Key != key {
			kept = append(kept, field)
		}
	}
	return kept
}

// JSON returns the object as compact JSON. Text outside ASCII is written as UTF-8, not as escapes.
func (f Fields) JSON() []byte { return f.append(nil) }

func (f Fields) append(b []byte) []byte {
	b = append(b, '{')
	for i, field := range f {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, field.Key)
		b = append(b, ':')
		b = appendValue(b, field.Value)
	}
	return append(b, '}')
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return appendString(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case bool:
		return strconv.AppendBool(b, v)
	case Raw:
		return append(b, v...)
	case Fields:
		return v.append(b)
	case []Fields:
		return appendList(b, v, func(b []byte, f Fields) []byte { return f.append(b) })
	case []Raw:
		return appendList(b, v, func(b []byte, r Raw) []byte { return append(b, r...) })
	case []any:
		return appendList(b, v, appendValue)
	default:
		panic(fmt.Sprintf("wire: a field holds %T, which no codec writes", value))
	}
}

func appendList[T any](b []byte, items []T, write func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = write(b, item)
	}
	return append(b, ']')
}

func appendString(b []byte, s string) []byte {
	q, err := jsontext.AppendQuote(b, s)
	if err != nil { // invalid UTF-8: written with replacement characters
		q, _ = jsontext.AppendQuote(b, string([]rune(s)))
	}
	return q
}

// JSON returns any value that a [Field] may hold as compact JSON.
func JSON(value any) []byte { return appendValue(nil, value) }

// Quote returns s as a JSON string.
func Quote(s string) []byte { return appendString(nil, s) }

// MiddleOf returns where the middle of a text is in JSON that has it as a string, or the middle of
// the JSON.
func MiddleOf(s string, json []byte) int {
	quoted := Quote(s)
	if at := bytes.Index(json, quoted); at >= 0 {
		return at + len(quoted)/2
	}
	return len(json) / 2
}

// AsFields returns the members of an object as they were sent.
func (n *Node) AsFields() (f Fields) {
	for _, m := range n.Members {
		f = append(f, Field{m.Key, Raw(m.Value.Raw)})
	}
	return f
}

// RawItems returns the items of an array as they were sent, and an empty list for any other value.
func RawItems(list *Node) []Raw {
	items := make([]Raw, len(list.All()))
	for i, n := range list.All() {
		items[i] = n.Raw
	}
	return items
}
