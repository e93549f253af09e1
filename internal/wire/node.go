package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// Kind is the JSON type of a [Node].
type Kind byte

// The JSON types. Absent is the kind of a nil node: a key that is not there.
const (
	Absent Kind = 0
	Null   Kind = 'n'
	Bool   Kind = 't'
	String Kind = '"'
	Number Kind = '0'
	Object Kind = '{'
	Array  Kind = '['
)

// String returns the kind as providers name it in their errors: "an object", "a string".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case String:
		return "a string"
	case Number:
		return "a number"
	case Object:
		return "an object"
	case Array:
		return "an array"
	default:
		return "nothing"
	}
}

// Node is one JSON value of a request, with the bytes it was written in and the place where it was.
// All methods may be called on a nil Node, which stands for an absent key, so that a reader can
// walk into a document of any shape without asking at every step.
type Node struct {
	Raw     []byte   // the value exactly as it was sent
	Members []Member // of an object, in order; a key that was sent twice is here twice
	Items   []*Node  // of an array

	parent *Node
	start  int   // where Raw begins in the document
	index  int32 // in the members or items of the parent; a long history has so many nodes that each byte of them counts

	Kind  Kind
	wordy bool // of a document: no text in it has an escape by a number
}

// HasNumberedEscapes reports whether a text of a document may have an escape by a number, such as
// \u00e9.
func (n *Node) HasNumberedEscapes() bool {
	return n != nil && !n.wordy && bytes.Contains(n.Raw, []byte(`\u`))
}

// Member is one key of an object and its value.
type Member struct {
	Key   string
	Value *Node
}

// ParseObject reads a text that should be one JSON object, such as the arguments of a call, as
// [ParseNode] does. It returns false for anything else.
func ParseObject(text string) (*Node, bool) {
	n, err := ParseNode([]byte(text))
	return n, err == nil && n.Is(Object)
}

// ParseNode reads one JSON document. It returns an error for anything that is not exactly one JSON
// value; duplicate keys and lone surrogates are kept, since a provider may accept them and a rule
// may want to see them.
func ParseNode(data []byte) (*Node, error) { return parseNode(data, nil) }

// parseNode is [ParseNode] of a document of which something is known.
func parseNode(data []byte, known *continued) (*Node, error) {
	root := readNodes(data, known)
	if root == nil {
		return nil, syntaxError(data)
	}
	return root, nil
}

// SyntaxError says why a text is not exactly one JSON value, and at which byte.
type SyntaxError struct {
	Offset int
	said   string
}

func (e *SyntaxError) Error() string { return e.said }

// syntaxError says why data is not exactly one JSON value.
func syntaxError(data []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(data), lenient...)
	if err := skipValue(d); err != nil {
		return wordSyntaxError(err, len(data))
	}
	end := d.InputOffset()
	d.ReadToken()
	rest := bytes.TrimLeft(data[end:], " \t\r\n")
	return &SyntaxError{len(data) - len(rest), fmt.Sprintf("more follows after the JSON value, at offset %d", d.InputOffset())}
}

// skipValue reads one value, token by token, so that an error has the place of the first byte that
// is wrong.
func skipValue(d *jsontext.Decoder) error {
	for {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		if d.StackDepth() == 0 {
			return nil
		}
	}
}

// wordSyntaxError words an error of the JSON reader without naming the reader.
func wordSyntaxError(err error, size int) error {
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		return &SyntaxError{size, "it is empty"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &SyntaxError{size, fmt.Sprintf("it breaks off after %s", textlayout.Count(size, "byte"))}
	case errors.As(err, &syntax):
		return &SyntaxError{int(syntax.ByteOffset), fmt.Sprintf("%v at offset %d", syntax.Err, syntax.ByteOffset)}
	default:
		return err
	}
}

// Is reports whether the value has this kind; Is(Absent) is true for a key that is not there.
func (n *Node) Is(k Kind) bool {
	if n == nil {
		return k == Absent
	}
	return n.Kind == k
}

// Type returns the kind, Absent for a nil node.
func (n *Node) Type() Kind {
	if n == nil {
		return Absent
	}
	return n.Kind
}

// Get returns the value under a key of an object, or nil. Of a key that was sent twice it returns
// the last value, as the JSON readers of the providers do.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// Text returns the value of a JSON string, decoded, and "" for anything else.
func (n *Node) Text() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return unquote(n.Raw)
}

// TextOrJSON returns a string decoded, any other value as it was written, and "" for none.
func (n *Node) TextOrJSON() string {
	switch {
	case n == nil:
		return ""
	case n.Is(String):
		return n.Text()
	default:
		return string(n.Raw)
	}
}

// True reports whether the value is the literal true.
func (n *Node) True() bool { return n != nil && string(n.Raw) == "true" }

// Int returns the value of a whole number, and false for anything else.
func (n *Node) Int() (int, bool) {
	if n == nil || n.Kind != Number {
		return 0, false
	}
	i, err := strconv.Atoi(string(n.Raw))
	if err != nil {
		return 0, false
	}
	return i, true
}

// Float returns the value of a number, and false for anything else, and for one that is too large.
func (n *Node) Float() (float64, bool) {
	if !n.Is(Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.Raw), 64)
	return f, err == nil
}

// DoubledKey returns an error about the first key in the value that was sent twice in one object,
// and nil when there is none.
func (n *Node) DoubledKey() error { return n.doubledKey((*Node).All) }

// doubledKey is [Node.DoubledKey] in some of the items of lists.
func (n *Node) doubledKey(items func(*Node) []*Node) error {
	if n == nil {
		return nil
	}
	if key, doubled := n.DuplicateKey(); doubled {
		return fmt.Errorf("the key %q occurs twice, at %s", key, n.Get(key).Pointer())
	}
	for _, m := range n.Members {
		if err := m.Value.doubledKey(items); err != nil {
			return err
		}
	}
	for _, item := range items(n) {
		if err := item.doubledKey(items); err != nil {
			return err
		}
	}
	return nil
}

// Keys returns the keys of an object in the order in which they were sent.
func (n *Node) Keys() []string {
	if n == nil {
		return nil
	}
	keys := make([]string, len(n.Members))
	for i, m := range n.Members {
		keys[i] = m.Key
	}
	return keys
}

// Fields yields the keys of an object and their values, in order.
func (n *Node) Fields() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		if n == nil {
			return
		}
		for _, m := range n.Members {
			if !yield(m.Key, m.Value) {
				return
			}
		}
	}
}

// Walk calls f for the value and everything in it, parents first.
func (n *Node) Walk(f func(*Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, m := range n.Members {
		m.Value.Walk(f)
	}
	for _, v := range n.Items {
		v.Walk(f)
	}
}

// DuplicateKey returns the first key of an object that was sent twice, and false when there is
// none.
func (n *Node) DuplicateKey() (string, bool) {
	if n == nil || len(n.Members) < 2 {
		return "", false
	}
	if len(n.Members) <= 8 { // most objects: cheaper than a map
		for i, m := range n.Members {
			for _, earlier := range n.Members[:i] {
				if earlier.Key == m.Key {
					return m.Key, true
				}
			}
		}
		return "", false
	}
	seen := make(map[string]bool, len(n.Members))
	for _, m := range n.Members {
		if seen[m.Key] {
			return m.Key, true
		}
		seen[m.Key] = true
	}
	return "", false
}

// ListOf returns a list with this value as its only item, which has the pointer of the value.
func ListOf(n *Node) *Node {
	return &Node{Kind: Array, Raw: slices.Concat([]byte("["), n.Raw, []byte("]")), Items: []*Node{n}, start: n.start, parent: n.parent, index: n.index}
}

// Joined returns some items of a list as a list of their own, which has the pointer of the first
// item. A single item is returned itself.
func Joined(items []*Node) *Node {
	if len(items) == 1 {
		return items[0]
	}
	first := items[0]
	raws := make([][]byte, len(items))
	for i, n := range items {
		raws[i] = n.Raw
	}
	raw := slices.Concat([]byte("["), bytes.Join(raws, []byte(",")), []byte("]"))
	return &Node{Kind: Array, Raw: raw, Items: items, start: first.start, parent: first.parent, index: first.index}
}
