package wire_test

import (
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		name           string
		a, b           string
		value, exactly bool
	}{
		{"equal", `{"a":1}`, `{"a":1}`, true, true},
		{"order of keys and white space", `{"a":1,"b":[2, 3]}`, "{\n\"b\":[2,3] ,\"a\":1}", true, true},
		{"order of items", "[1,2]", "[2,1]", false, false},
		{"another item", "[1]", "[1,1]", false, false},
		{"another key", `{"a":1}`, `{"b":1}`, false, false},
		{"one more key", `{"a":1}`, `{"a":1,"b":2}`, false, false},
		{"null is no absent key", `{"a":null}`, "{}", false, false},
		{"null is no empty text", "null", `""`, false, false},
		{"true is not a text", "true", `"true"`, false, false},
		{"true is not false", "true", "false", false, false},
		{"one is not a text", "1", `"1"`, false, false},
		{"the last of two keys counts", `{"a":1,"a":2}`, `{"a":2}`, true, true},

		{"escapes", `"\u00e9\/\t"`, "\"é/\\u0009\"", true, true},
		{"pair of surrogates", `"\ud83d\ude00"`, `"😀"`, true, true},
		{"case of escapes", `"\uD83D\uDE00"`, `"\ud83d\ude00"`, true, true},
		{"another half of a pair", `"\ud800"`, `"\ud801"`, false, false},
		{"half of a pair in capitals", `"\uD800x"`, `"\ud800x"`, true, true},
		{"half of a pair replaced", `"\ud800"`, `"\ufffd"`, false, false},
		{"second half alone", `"\udc00"`, `"\udc01"`, false, false},
		{"half before a pair", `"\ud800\ud83d\ude00"`, `"\ud800😀"`, true, true},
		{"escaped backslash is no escape", `"\\ud800"`, `"\\ud801"`, false, false},
		{"composed and decomposed", "\"\u00e9\"", "\"e\u0301\"", false, false},

		{"1.0 and 1", "1.0", "1", true, true},
		{"exponent", "1e2", "100", true, true},
		{"exponent in capitals", "1.5E+1", "15", true, true},
		{"minus zero", "-0", "0", true, true},
		{"beyond 2^53", "9007199254740993", "9007199254740992", true, false},
		{"beyond 2^53, equal", "9007199254740993", "9007199254740993.0", true, true},
		{"beyond 64 bits", "123456789012345678901234567890", "123456789012345678901234567891", true, false},
		{"more digits than a double has", "0.1", "0.10000000000000000000000001", true, false},
		{"too large for a double", "1e400", "1e401", false, false},
		{"too large for a double, equal", "1e400", "10e399", false, true},
		{"too small for a double", "1e-400", "1e-401", true, false},
		{"exponents of five digits are not worked out", "1e20000", "10e19999", false, false},
		{"huge exponents are not worked out", "1e999999999", "10e999999998", false, false},
		{"huge exponents, same bytes", "1e999999999", "1e999999999", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := parse(t, c.a), parse(t, c.b)
			for _, pair := range [][2]*wire.Node{{a, b}, {b, a}} {
				if got := wire.SameValue(pair[0], pair[1]); got != c.value {
					t.Errorf("SameValue of %s and %s is %v", pair[0].Raw, pair[1].Raw, got)
				}
				if got := wire.SameExactly(pair[0], pair[1]); got != c.exactly {
					t.Errorf("SameExactly of %s and %s is %v", pair[0].Raw, pair[1].Raw, got)
				}
			}
		})
	}
}

func TestSameOfAbsentValues(t *testing.T) {
	if !wire.SameValue(nil, nil) || wire.SameValue(nil, parse(t, "null")) {
		t.Error("an absent value is the same as itself, and not as null")
	}
}

func TestSameJSON(t *testing.T) {
	for _, c := range []struct {
		a, b           string
		value, exactly bool
	}{
		{`{"a": 1}`, `{"a":1}`, true, true},
		{`{"id":9007199254740993}`, `{"id":9007199254740992}`, true, false},
		{"{broken", "{broken", true, true},
		{"{broken", "{broken ", false, false},
		{"", "", true, true},
		{"", "{}", false, false},
		{"{}", "{} {}", false, false},
	} {
		if got := wire.SameJSON(c.a, c.b); got != c.value {
			t.Errorf("SameJSON of %q and %q is %v", c.a, c.b, got)
		}
		if got := wire.SameJSONExactly(c.a, c.b); got != c.exactly {
			t.Errorf("SameJSONExactly of %q and %q is %v", c.a, c.b, got)
		}
	}
}

// As a fraction, such a number would take a gigabyte and minutes.
func TestHugeNumbersAreCheap(t *testing.T) {
	start := time.Now()
	digits := strings.Repeat("9", 1_000_000)
	wire.SameJSONExactly("1e999999999", "2e999999999")
	wire.SameJSONExactly("1e-999999999", "2e-999999999")
	wire.SameJSONExactly(digits, digits+"9")
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
