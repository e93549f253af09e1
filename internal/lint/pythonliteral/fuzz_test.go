package pythonliteral_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/lint/pythonliteral"
)

// Whatever is in a log, it becomes JSON or it is said why not. A value that Python prints is read
// as the same value.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{'a': True, "b": [None, 1.5, -2, ('x',)], 'c': 'it\'s'}`, `{"a":[true,null,-1e3,"it's \" \\ \n \u00e9 \ud83d\ude00 \u0085"]}`, `<Object at 0x7f>`, `{'a': <b>}`, `b'\xa0'`, `"\x80\u0000"`, `[1e999]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if out, err := pythonliteral.JSON(data); err == nil && !json.Valid(out) {
			t.Errorf("%q becomes %q, which is not JSON", data, out)
		}
		value, ok := jsonValue(data)
		if !ok {
			return
		}
		var printed strings.Builder
		printPython(&printed, value)
		out, err := pythonliteral.JSON([]byte(printed.String()))
		if err != nil {
			t.Fatalf("%s: %v", printed.String(), err)
		}
		if back, ok := jsonValue(out); !ok || !reflect.DeepEqual(plain(value), plain(back)) {
			t.Errorf("%s is read as %s", printed.String(), out)
		}
	})
}

// jsonValue returns a list or an object that is written as JSON.
func jsonValue(data []byte) (value any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if !utf8.Valid(data) || d.Decode(&value) != nil || d.More() {
		return nil, false
	}
	switch value.(type) {
	case []any, map[string]any:
		return value, !hasHugeNumber(value)
	}
	return nil, false
}

// hasHugeNumber reports whether a value has a number that no float of Python is: it would print
// inf.
func hasHugeNumber(value any) bool {
	switch v := value.(type) {
	case json.Number:
		_, whole := new(big.Int).SetString(v.String(), 10)
		_, err := v.Float64()
		return !whole && err != nil
	case []any:
		return slices.ContainsFunc(v, hasHugeNumber)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hasHugeNumber)
	}
	return false
}

type plainNumber string

// plain returns a value with each number in one form, so that 1e3 and 1000 are the same. Numbers
// with a fraction or an exponent are as exact as Python's.
func plain(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, ok := new(big.Int).SetString(v.String(), 10); ok {
			return plainNumber(n.String())
		}
		number, err := v.Float64()
		if n, exact := big.NewFloat(number).Int(nil); err == nil && exact == big.Exact {
			return plainNumber(n.String())
		}
		return number
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plain(v[key])
		}
	}
	return value
}

// printPython writes a value as repr of Python does.
func printPython(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case json.Number:
		b.WriteString(v.String())
	case string:
		printPythonText(b, v)
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			b.WriteString(strings.Repeat(", ", min(i, 1)))
			printPython(b, item)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strings.Repeat(", ", min(i, 1)))
			printPythonText(b, key)
			b.WriteString(": ")
			printPython(b, v[key])
		}
		b.WriteByte('}')
	}
}

func printPythonText(b *strings.Builder, text string) {
	quote := '\''
	if strings.ContainsRune(text, '\'') && !strings.ContainsRune(text, '"') {
		quote = '"'
	}
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == quote || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r >= 0x7f && r <= 0xa0 || r == 0xad:
			fmt.Fprintf(b, `\x%02x`, r)
		case r == '\u2028' || r == '\u2029' || r == '\ufeff':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(quote)
}
