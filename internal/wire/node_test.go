package wire_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

func parse(t *testing.T, text string) *wire.Node {
	t.Helper()
	n, err := wire.ParseNode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func TestParseNodeKeepsBytesAndPlaces(t *testing.T) {
	document := ` { "model" : "m", "n": [1.50, {"a/b": {"c~d": null}}, [ ]], "": true, "\u0061": "\u00e9\n" } `
	root := parse(t, document)
	type place struct{ Pointer, Kind, Raw string }
	want := []place{
		{"", "an object", `{ "model" : "m", "n": [1.50, {"a/b": {"c~d": null}}, [ ]], "": true, "\u0061": "\u00e9\n" }`},
		{"/model", "a string", `"m"`},
		{"/n", "an array", `[1.50, {"a/b": {"c~d": null}}, [ ]]`},
		{"/n/0", "a number", "1.50"},
		{"/n/1", "an object", `{"a/b": {"c~d": null}}`},
		{"/n/1/a~1b", "an object", `{"c~d": null}`},
		{"/n/1/a~1b/c~0d", "null", "null"},
		{"/n/2", "an array", "[ ]"},
		{"/", "a boolean", "true"},
		{"/a", "a string", `"\u00e9\n"`},
	}
	var got []place
	root.Walk(func(n *wire.Node) { got = append(got, place{n.Pointer(), n.Type().String(), string(n.Raw)}) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	root.Walk(func(n *wire.Node) {
		if found := follow(root, n.Pointer()); found != n {
			t.Errorf("the pointer %q leads to %v", n.Pointer(), found)
		}
		if at := n.Offset(); !strings.HasPrefix(document[at:], string(n.Raw)) {
			t.Errorf("the offset of %s is %d, where %q begins", n.Pointer(), at, document[at:])
		}
	})
	if diff := cmp.Diff([]string{"model", "n", "", "a"}, root.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if got := root.Get("a").Text(); got != "é\n" {
		t.Errorf("the text is %q", got)
	}
}

// follow walks down a JSON pointer, step by step.
func follow(n *wire.Node, pointer string) *wire.Node {
	if pointer == "" {
		return n
	}
	for _, step := range strings.Split(pointer[1:], "/") {
		n = n.Child(step)
	}
	return n
}

func TestParseNodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "it is empty"},
		{"white space", " \n", "it is empty"},
		{"open object", "{", "it breaks off after 1 byte"},
		{"open value", `{"a":`, "it breaks off after 5 bytes"},
		{"open list", `{"a":[1,`, "it breaks off after 8 bytes"},
		{"open text", `{"a":"b`, "it breaks off after 7 bytes"},
		{"half a word", "tru", "it breaks off after 3 bytes"},
		{"no JSON", "model=gpt", "invalid character 'm' at start of value at offset 0"},
		{"single quotes", "{'a':1}", `invalid character '\'' at start of value at offset 1`},
		{"comma too many", `{"a":1,}`, "invalid character ',' at start of value at offset 6"},
		{"no colon", `{"a" 1}`, "invalid character '1' after object name (expecting ':') at offset 5"},
		{"number as key", "{1:2}", "object member name must be a string at offset 1"},
		{"control character", "\"\x01\"", `invalid character '\x01' in string (expecting non-control character) at offset 1`},
		{"unknown escape", `"\x"`, "invalid escape sequence `\\x` in string at offset 1"},
		{"byte order mark", "\ufeff{}", `invalid character '\ufeff' at start of value at offset 0`},
		{"second value", `{} {}`, "more follows after the JSON value, at offset 4"},
		{"brace too many", `{}}`, "more follows after the JSON value, at offset 2"},
		{"leading zero", "01", "more follows after the JSON value, at offset 2"},
		{"deep nesting", strings.Repeat("[", 100_000), "exceeded max depth at offset 10000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n, err := wire.ParseNode([]byte(c.text)); err == nil || err.Error() != c.want {
				t.Errorf("parsed %v with the error %v, want %s", n, err, c.want)
			}
		})
	}
}

func TestDuplicateKeysAreKept(t *testing.T) {
	n := parse(t, `{"a":1,"b":2,"a":3}`)
	if len(n.Members) != 3 {
		t.Errorf("%d members were kept, want 3", len(n.Members))
	}
	if got := string(n.Get("a").Raw); got != "3" {
		t.Errorf("the value is %s, want the last", got)
	}
	if key, ok := n.DuplicateKey(); !ok || key != "a" {
		t.Errorf("the duplicate key is %q, %v", key, ok)
	}
	if key, ok := parse(t, `{"a":{"b":1},"b":1}`).DuplicateKey(); ok {
		t.Errorf("%q is no duplicate", key)
	}
}

func TestOddStringsAreKept(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{`"\ud83d\ude00"`, "😀"},
		{`"\ud800"`, "\ufffd"}, // half a pair
		{"\"\xff\"", "\xff"},   // not UTF-8
		{`"a\u0000b"`, "a\x00b"},
		{`"\/"`, "/"},
	} {
		n := parse(t, c.raw)
		if string(n.Raw) != c.raw || n.Text() != c.text {
			t.Errorf("%q was read as %q with the text %q", c.raw, n.Raw, n.Text())
		}
	}
}

func TestNilNodeIsAnAbsentKey(t *testing.T) {
	var n *wire.Node
	if !n.Is(wire.Absent) || n.Is(wire.Null) || n.Type().String() != "nothing" {
		t.Errorf("a nil node is %v", n.Type())
	}
	if n.Get("a").Get("b").Child("0") != nil || n.Text() != "" || n.True() || n.Pointer() != "" || n.Keys() != nil {
		t.Error("a nil node holds something")
	}
	if _, ok := n.Int(); ok {
		t.Error("a nil node is a number")
	}
	if _, ok := n.DuplicateKey(); ok {
		t.Error("a nil node has a key")
	}
	n.Walk(func(*wire.Node) { t.Error("a nil node was walked") })
}

func TestAccessorsOfOtherKinds(t *testing.T) {
	for _, c := range []struct {
		raw   string
		text  string
		truth bool
		n     int
		isInt bool
	}{
		{`"12"`, "12", false, 0, false},
		{"12", "", false, 12, true},
		{"-3", "", false, -3, true},
		{"12.0", "", false, 0, false},
		{"99999999999999999999", "", false, 0, false},
		{"true", "", true, 0, false},
		{"false", "", false, 0, false},
		{`"true"`, "true", false, 0, false},
		{"[]", "", false, 0, false},
	} {
		n := parse(t, c.raw)
		i, ok := n.Int()
		if n.Text() != c.text || n.True() != c.truth || i != c.n || ok != c.isInt {
			t.Errorf("%s gives %q, %v, %d, %v", c.raw, n.Text(), n.True(), i, ok)
		}
	}
}

// Whatever a client sends, every value keeps bytes that are its own document, and its pointer leads
// back to it.
func FuzzParseNode(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":null}],"a":"\ud800"}`, "[[[[", `"\u00`, "1e999", "{\"\":{\"~/\":\"\xff\"}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := wire.ParseNode(data)
		if err != nil {
			return
		}
		root.Walk(func(n *wire.Node) {
			if _, err := wire.ParseNode(n.Raw); err != nil {
				t.Errorf("the bytes %q at %s are no document: %v", n.Raw, n.Pointer(), err)
			}
		})
		if !wire.SameExactly(root, root) {
			t.Errorf("%q differs from itself", data)
		}
	})
}

// The pointer to a value at a great depth is as long as that is deep. It took the square of it in
// memory, and there may be one for each value on the way.
func TestPointerOfADeepValue(t *testing.T) {
	const depth = 4000
	n := parse(t, strings.Repeat(`{"a/b":[`, depth)+strings.Repeat("]}", depth))
	for n.Kind != wire.Array || len(n.Items) > 0 {
		if next := n.Get("a/b"); next != nil {
			n = next
		} else {
			n = n.Items[0]
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	pointer := n.Pointer()
	runtime.ReadMemStats(&after)
	if want := strings.TrimSuffix(strings.Repeat("/a~1b/0", depth), "/0"); pointer != want {
		t.Errorf("the pointer has %d bytes, want %d", len(pointer), len(want))
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 2<<20 {
		t.Errorf("a pointer of %d bytes takes %d bytes", len(pointer), took)
	}
}

func TestEventLength(t *testing.T) {
	for _, c := range []struct {
		stream string
		want   int
	}{
		{"", 0}, {"data: a\n", 0}, {"data: a\n\nb", 9}, {"data: a\r\n\r", 0}, {"data: a\r\n\r\ndata", 11}, {"data: a\r\rb", 9}, {"a\nb\r\nc\n\n\n", 8}, {": a\n\n", 5},
	} {
		for from := range max(1, c.want) { // all of which was searched before
			if got := wire.EventLength([]byte(c.stream), from); got != c.want {
				t.Errorf("the event of %q that has no end before %d has %d bytes, want %d", c.stream, from, got, c.want)
			}
		}
	}
}
