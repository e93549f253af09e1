package wire

import (
	"slices"
	"strconv"
	"strings"
)

// Offset returns where in the document the bytes of the value begin, and 0 for a nil Node.
func (n *Node) Offset() int {
	if n == nil {
		return 0
	}
	return n.start
}

// Parent returns the object or array that has the value, and nil for a whole document.
func (n *Node) Parent() *Node {
	if n == nil {
		return nil
	}
	return n.parent
}

// Key returns the key that an object has for the value, and "" elsewhere.
func (n *Node) Key() string {
	if n == nil || n.parent == nil || n.parent.Kind != Object {
		return ""
	}
	members, i := n.parent.Members, int(n.index)
	if i < len(members) && members[i].Value == n {
		return members[i].Key
	}
	for _, m := range members { // after a member before it was removed
		if m.Value == n {
			return m.Key
		}
	}
	if i < len(members) { // of a value that stands for the one that is there, such as [ListOf] it
		return members[i].Key
	}
	return ""
}

// Index returns the place of the value in the array that has it, of [Joined] items that of the first,
// and -1 elsewhere.
func (n *Node) Index() int {
	if n == nil || n.parent == nil || n.parent.Kind != Array {
		return -1
	}
	if i := int(n.index); i < len(n.parent.Items) && n.parent.Items[i] == n {
		return i
	}
	if n.parent.Items == nil { // of a request before; see [nodeReader.goOn]
		return int(n.index)
	}
	if i := slices.Index(n.parent.Items, n); i >= 0 { // after an item before it was removed
		return i
	}
	return int(n.index)
}

// Pointer returns the place of the value in its document as a JSON pointer (RFC 6901):
// "/messages/3/content". The pointer of a whole document, and of nothing, is "".
func (n *Node) Pointer() string {
	if n == nil || n.parent == nil {
		return ""
	}
	var room [8]string
	steps := room[:0]
	length := 0
	for ; n.parent != nil; n = n.parent { // in one piece, since a text for each step of a deep document would be quadratic
		step := n.step()
		steps, length = append(steps, step), length+1+len(step)
	}
	var pointer strings.Builder
	pointer.Grow(length)
	for _, step := range slices.Backward(steps) {
		pointer.WriteByte('/')
		pointer.WriteString(step)
	}
	return pointer.String()
}

// step returns the last step of the pointer to a value that is in another one.
func (n *Node) step() string {
	if n.parent.Kind == Array {
		return strconv.Itoa(int(n.index))
	}
	return pointerEscape.Replace(n.Key())
}

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// StepKey returns the key that a step of a JSON pointer (RFC 6901) stands for.
func StepKey(step string) string {
	if strings.IndexByte(step, '~') < 0 {
		return step // which the replacer would copy
	}
	return pointerUnescape.Replace(step)
}

// IsBelow reports whether the value is under a key of its document, at any depth.
func (n *Node) IsBelow(key string) bool {
	if n == nil || n.parent == nil {
		return false
	}
	for n.parent.parent != nil {
		n = n.parent
	}
	return n.parent.Kind == Object && n.Key() == key
}

// Child returns the value one step down a JSON pointer: under a key of an object or at an index of
// an array.
func (n *Node) Child(step string) *Node {
	if n.Is(Array) {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
		return nil
	}
	return n.Get(StepKey(step))
}

// At returns the value to which a JSON pointer (RFC 6901) points, or nil. The pointer "" is the
// whole value.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	steps := strings.Split(pointer, "/")
	if steps[0] != "" {
		return nil
	}
	for _, step := range steps[1:] {
		n = n.Child(step)
	}
	return n
}

// InBrackets returns what a JSON pointer points to as OpenAI and others write it:
// input[1].content[0].
func InBrackets(pointer string) string {
	var b strings.Builder
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		switch {
		case b.Len() > 0 && step != "" && strings.Trim(step, "0123456789") == "":
			b.WriteString("[" + step + "]")
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(StepKey(step))
	}
	return b.String()
}
