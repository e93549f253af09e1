package wire

import "slices"

// Tree is a JSON value that can be changed, with its keys in order: what a [Quirk] does to an answer that was written
// already. All methods may be called on nil, which stands for a value that is not there.
//
//	chunk := wire.ParseTree(event.Data)
//	chunk.At("choices", 0, "delta").Set("content", nil)
//	event.Data = chunk.JSON()
type Tree struct {
	kind   Kind
	raw    Raw // of anything but an object and an array
	fields []treeField
	items  []*Tree
}

type treeField struct {
	key   string
	value *Tree
}

// ParseTree reads one JSON document. It returns nil for anything else, such as the end mark of a stream.
func ParseTree(data []byte) *Tree {
	n, err := ParseNode(data)
	if err != nil {
		return nil
	}
	return newTree(n)
}

// NewTree returns the tree of a value that a [Field] may hold.
func NewTree(value any) *Tree { return ParseTree(JSON(value)) }

func newTree(n *Node) *Tree {
	t := &Tree{kind: n.Kind, raw: Raw(n.Raw)}
	for _, m := range n.Members {
		t.fields = append(t.fields, treeField{m.Key, newTree(m.Value)})
	}
	for _, item := range n.Items {
		t.items = append(t.items, newTree(item))
	}
	return t
}

// At returns what a path of keys and indices leads to, or nil.
func (t *Tree) At(path ...any) *Tree {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			t = t.get(step)
		case int:
			if t == nil || step >= len(t.items) {
				return nil
			}
			t = t.items[step]
		}
	}
	return t
}

func (t *Tree) get(key string) *Tree {
	if i := t.find(key); i >= 0 {
		return t.fields[i].value
	}
	return nil
}

func (t *Tree) find(key string) int {
	if t == nil {
		return -1
	}
	return slices.IndexFunc(t.fields, func(f treeField) bool { return f.key == key })
}

// Has reports whether an object has a key, be its value null.
func (t *Tree) Has(key string) bool { return t.find(key) >= 0 }

// Is reports whether the value has this kind.
func (t *Tree) Is(k Kind) bool { return t != nil && t.kind == k || t == nil && k == Absent }

// Text returns the value of a string, and "" for anything else.
func (t *Tree) Text() string {
	if !t.Is(String) {
		return ""
	}
	return (&Node{Kind: String, Raw: t.raw}).Text()
}

// Int returns the value of a whole number, and false for anything else.
func (t *Tree) Int() (int, bool) {
	if !t.Is(Number) {
		return 0, false
	}
	return (&Node{Kind: Number, Raw: t.raw}).Int()
}

// Items returns the items of an array.
func (t *Tree) Items() []*Tree {
	if t == nil {
		return nil
	}
	return t.items
}

// SetItems makes the value an array of these items.
func (t *Tree) SetItems(items ...*Tree) {
	if t != nil {
		*t = Tree{kind: Array, items: items}
	}
}

// Set gives a key of an object a value, which is a *Tree or one that a [Field] may hold. A new key stands at the end.
func (t *Tree) Set(key string, value any) {
	if !t.Is(Object) {
		return
	}
	set, ok := value.(*Tree)
	if !ok {
		set = NewTree(value)
	}
	if i := t.find(key); i >= 0 {
		t.fields[i].value = set
		return
	}
	t.fields = append(t.fields, treeField{key, set})
}

// Remove takes keys out of an object.
func (t *Tree) Remove(keys ...string) {
	if t != nil {
		t.fields = slices.DeleteFunc(t.fields, func(f treeField) bool { return slices.Contains(keys, f.key) })
	}
}

// Clone returns a copy that shares nothing with the tree.
func (t *Tree) Clone() *Tree { return ParseTree(t.JSON()) }

// JSON returns the value as compact JSON; of nil, null.
func (t *Tree) JSON() []byte { return t.append(nil, "") }

// lines returns the value as JSON with each key of the outermost object on a line of its own.
func (t *Tree) lines() []byte { return t.append(nil, "\n") }

func (t *Tree) append(b []byte, feed string) []byte {
	switch {
	case t == nil:
		return append(b, "null"...)
	case t.kind == Object:
		b = append(append(b, '{'), feed...)
		for i, f := range t.fields {
			if i > 0 {
				b = append(append(b, ','), feed...)
			}
			b = f.value.append(append(appendString(b, f.key), ':'), "")
		}
		return append(append(b, feed...), '}')
	case t.kind == Array:
		b = append(b, '[')
		for i, item := range t.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.append(b, "")
		}
		return append(b, ']')
	default:
		return append(b, t.raw...)
	}
}
