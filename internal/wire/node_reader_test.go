package wire

import (
	"strings"
	"testing"
)

// TestKnownKeys: the keys of the messages of each dialect need no memory when they are read again.
func TestKnownKeys(t *testing.T) {
	var all [][]byte
	for _, key := range strings.Fields(`model messages role content tool_calls id type function name arguments tool_call_id tools parameters
		properties stream input call_id output contents parts text functionCall functionResponse args tool_use_id max_tokens system
		required object description`) {
		all = append(all, Quote(key))
	}
	var k knownKeys
	read := func() {
		for _, key := range all {
			if got := k.text(key); got != string(key[1:len(key)-1]) {
				t.Errorf("%s is read as %q", key, got)
			}
		}
	}
	if allocs := testing.AllocsPerRun(10, read); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// documents are texts that are JSON documents or nearly so.
func documents() []string {
	return []string{
		``, ` `, `null`, ` true `, "\tfalse\r\n", `nul`, `nulls`, `truefalse`, `1`, `-1`, `-`, `01`, `-0`, `0.5`, `0.`, `.5`, `1e5`, `1E+5`, `1e-05`, `1e`, `1e+`, `1.5e3.`, `+1`, `--1`,
		`""`, `"`, `"a`, `"a"b`, `"\"`, `"\\"`, `"\n\t\b\f\r\/\""`, `"\x"`, `"\u12"`, `"\u12G4"`, `"\u00e9\uD83D\uDE00"`, `"\uD83D"`, `"\uDE00\uD83D"`, `"\u:234"`, "\"\\uD\x1100\"", "\"\\u00\x19A\"", `"\u` + "`" + `234"`,
		"\"a\nb\"", "\"\x1f\"", "\"\x7f\"", "\"\xff\xc0é€\"", "\"12345678\x00\"", "\"1234567\n\"", `"1234567\"89"`, `"1234567\\"`, `"12345678\u0041"`, "\"\x80\x81\x82\x83\x84\x85\x86\x87\x88\"",
		`{}`, `{ }`, `[]`, `[ ]`, `{"a":1}`, `{"a":1,}`, `{,"a":1}`, `{"a" : 1 , "a":2 }`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":1`, `{"a":1]`, `{"a":[}]`,
		`[1,2]`, `[1,,2]`, `[,1]`, `[1,]`, `[1 2]`, `[1`, `]`, `}`, `,`, `:`, `[1]]`, `{}{}`, `[[],{},"",null]`, "\ufeff{}", "{}\x00", "\v{}", "{}\u00a0", `{"a\u0062":{"c":[{"d":"e\\f"}]}}`,
	}
}

// TestReadsDeepDocuments is no part of the fuzz test: there, what is made of long texts takes long to
// be made shorter.
func TestReadsDeepDocuments(t *testing.T) {
	for _, n := range []int{deepest - 1, deepest, deepest + 1} {
		for _, text := range []string{strings.Repeat("[", n) + strings.Repeat("]", n), strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)} {
			if read, is := readNodes([]byte(text), nil) != nil, isDocument([]byte(text)); read != is {
				t.Errorf("%.5s %d deep is read: %t, it is a document: %t", text, n, read, is)
			}
		}
	}
}

// FuzzReadNodes: nodes are made of what is a document, and of nothing else, and have its bytes.
func FuzzReadNodes(f *testing.F) {
	for _, text := range documents() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root := readNodes(data, nil)
		if is := isDocument(data); is != (root != nil) {
			t.Fatalf("it is read: %t, it is a document: %t", root != nil, is)
		}
		if root == nil || len(data) > 2000 { // every value in a deep one is a document, too, which takes long to see
			return
		}
		if root.HasNumberedEscapes() && !strings.Contains(string(data), `\u`) || !root.HasNumberedEscapes() && jsonWithNumbers(root) {
			t.Errorf("escapes by a number: %t", root.HasNumberedEscapes())
		}
		root.Walk(func(n *Node) {
			if !isDocument(n.Raw) || string(n.Raw) != string(data[n.start:n.start+len(n.Raw)]) || Kind(n.Raw[0]) != n.Kind && n.Kind != Number && n.Kind != Bool {
				t.Errorf("the value %s is said to be %s", n.Raw, n.Kind)
			}
			if n.Is(String) && n.TextLen() != len(n.Text()) {
				t.Errorf("the text %s has %d bytes, and is said to have %d", n.Raw, len(n.Text()), n.TextLen())
			}
		})
	})
}

// jsonWithNumbers reports whether a value in a document has an escape by a number.
func jsonWithNumbers(root *Node) (has bool) {
	root.Walk(func(n *Node) {
		has = has || n.Is(String) && strings.Contains(strings.ReplaceAll(string(n.Raw), `\\`, ""), `\u`)
	})
	return has
}
