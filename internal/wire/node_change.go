package wire

import "slices"

// A [Node] can be changed, which is what a [Quirk] does to an answer that was written already:
//
//	chunk := wire.Parsed(event.Data)
//	chunk.Path("choices", 0, "delta").Set("content", nil)
//	event.Data = chunk.JSON()
//
// What changed, and what it is in, has no bytes as they were sent any more: Raw is nil, but for
// texts, numbers and the like.

// Parsed reads one JSON document as [ParseNode] does. It returns nil for anything else, such as the
// end mark of a stream.
func Parsed(data []byte) *Node {
	n, _ := ParseNode(data)
	return n
}

// NewNode returns the node of a value that a [Field] may hold.
func NewNode(value any) *Node { return Parsed(JSON(value)) }

// Path returns what a path of keys and indices leads to, or nil.
func (n *Node) Path(path ...any) *Node {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			n = n.Get(step)
		case int:
			if n == nil || step >= len(n.Items) {
				return nil
			}
			n = n.Items[step]
		}
	}
	return n
}

// Has reports whether an object has a key, also if its value is null.
func (n *Node) Has(key string) bool { return n.Get(key) != nil }

// All returns the items of an array, and none for any other value or for nil.
func (n *Node) All() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// SetItems makes the value an array of these items.
func (n *Node) SetItems(items ...*Node) {
	if n == nil {
		return
	}
	n.changed()
	n.Kind, n.Members, n.Items = Array, nil, items
	for i, item := range items {
		if item != nil {
			item.parent, item.index = n, int32(i)
		}
	}
}

// Set gives a key of an object a value, which is a *Node or one that a [Field] may hold. A new key
// is at the end.
func (n *Node) Set(key string, value any) {
	if !n.Is(Object) {
		return
	}
	set, ok := value.(*Node)
	switch {
	case !ok:
		set = NewNode(value)
	case set == nil:
		set = NewNode(nil)
	}
	n.changed()
	at := slices.IndexFunc(n.Members, func(m Member) bool { return m.Key == key })
	if at < 0 {
		at = len(n.Members)
		n.Members = append(n.Members, Member{Key: key})
	}
	n.Members[at].Value = set
	set.parent, set.index = n, int32(at)
}

// Remove takes keys out of an object.
func (n *Node) Remove(keys ...string) {
	if n.Is(Object) {
		n.changed()
		n.Members = slices.DeleteFunc(n.Members, func(m Member) bool { return slices.Contains(keys, m.Key) })
	}
}

// changed drops the bytes of a value that is changed, and of all that it is in.
func (n *Node) changed() {
	for at := n; at != nil; at = at.parent {
		at.Raw = nil
	}
}

// Clone returns a copy that shares nothing with the value.
func (n *Node) Clone() *Node { return Parsed(n.JSON()) }

// JSON returns the value as compact JSON; of nil, null.
func (n *Node) JSON() []byte { return n.append(nil, "") }

// lines returns the value as JSON with each key of the outermost object on a line of its own.
func (n *Node) lines() []byte { return n.append(nil, "\n") }

func (n *Node) append(b []byte, feed string) []byte {
	switch {
	case n == nil:
		return append(b, "null"...)
	case n.Kind == Object:
		b = append(append(b, '{'), feed...)
		for i, m := range n.Members {
			if i > 0 {
				b = append(append(b, ','), feed...)
			}
			b = m.Value.append(append(appendString(b, m.Key), ':'), "")
		}
		return append(append(b, feed...), '}')
	case n.Kind == Array:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.append(b, "")
		}
		return append(b, ']')
	default:
		return append(b, n.Raw...)
	}
}
