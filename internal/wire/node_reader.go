package wire

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// lenient are the options with which documents are read: what a provider may accept is no error.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// isDocument reports whether data is exactly one JSON value.
func isDocument(data []byte) bool { return jsontext.Value(data).IsValid(lenient...) }

// MostValues is how many JSON values a request may have: one takes two bytes of a body, and
// hundreds of bytes where it is read. A history of 20,000 calls with their results has 200,000.
const MostValues = 500_000

// ErrTooManyValues is why a request is not read.
var ErrTooManyValues = fmt.Errorf("it has more than %d values", MostValues)

// hasMoreValues reports whether data is a document with more than so many values, the empty place
// in an empty list being one.
func hasMoreValues(data []byte, most int) bool {
	if len(data) <= most || !isDocument(data) {
		return false
	}
	r, n := nodeReader{data: data}, 1
	for ; r.at < len(data) && n <= most; r.at++ {
		switch data[r.at] {
		case '"':
			r.skipString()
			r.at--
		case ',', '[', '{':
			n++
		}
	}
	return n > most
}

// nodeReader makes nodes of a document that [isDocument]. It only has to find where each value
// ends, which takes a fraction of the time of a reader of tokens. Nodes are allocated many at a
// time, since a long history has tens of thousands of them: a document is kept, or dropped, as a
// whole.
type nodeReader struct {
	data []byte
	at   int    // of the byte that is read next
	room []Node // that is allocated, and not used yet
	made int
	keys *knownKeys

	members []Member // room for them
	items   []*Node
}

// bytesPerNode is how long the text of a node is in most requests, at least.
const bytesPerNode = 16

// firstRoom is how many nodes are allocated at first, at most; maxRoom, at a time.
const firstRoom, maxRoom = 64, 256

// readNodes returns the nodes of a document that [isDocument].
func readNodes(data []byte) *Node {
	keys := keySets.Get().(*knownKeys)
	defer keySets.Put(keys)
	r := nodeReader{data: data, keys: keys}
	r.room = make([]Node, min(2+len(data)/bytesPerNode, firstRoom))
	r.skipSpace()
	return r.value()
}

// newNode returns a node from the room. If there is none left, it makes room for as many as the
// rest of the document has if it is like what was read, and an eighth more, up to a limit.
func (r *nodeReader) newNode(k Kind) *Node {
	if len(r.room) == 0 {
		rest := (len(r.data) - r.at) / max(1, r.at/max(1, r.made))
		r.room = make([]Node, min(8+rest+rest/8, maxRoom))
	}
	n := &r.room[0]
	r.room = r.room[1:]
	r.made++
	n.Kind, n.start = k, r.at
	return n
}

// ends notes where the bytes of a node end, which is where the reader is.
func (r *nodeReader) ends(n *Node) *Node {
	n.Raw = r.data[n.start:r.at:r.at]
	return n
}

func (r *nodeReader) skipSpace() {
	for r.at < len(r.data) && r.data[r.at] <= ' ' {
		r.at++
	}
}

// skipTo goes to the next byte that is neither white space nor a comma or a colon, which a document
// has where they belong.
func (r *nodeReader) skipTo() byte {
	for {
		c := r.data[r.at]
		if c > ' ' && c != ',' && c != ':' {
			return c
		}
		r.at++
	}
}

func (r *nodeReader) value() *Node {
	switch c := r.data[r.at]; c {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		n := r.newNode(String)
		r.skipString()
		return r.ends(n)
	case 'n':
		return r.word(Null, len("null"))
	case 't':
		return r.word(Bool, len("true"))
	case 'f':
		return r.word(Bool, len("false"))
	default:
		n := r.newNode(Number)
		for r.at < len(r.data) && isInNumber(r.data[r.at]) {
			r.at++
		}
		return r.ends(n)
	}
}

func isInNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'
}

func (r *nodeReader) word(k Kind, length int) *Node {
	n := r.newNode(k)
	r.at += length
	return r.ends(n)
}

// skipString goes to the end of a string. A quote ends it unless an odd number of backslashes is
// before it.
func (r *nodeReader) skipString() {
	r.at++
	for {
		first := r.at
		r.at += bytes.IndexByte(r.data[first:], '"')
		escapes := 0
		for r.at-escapes > first && r.data[r.at-escapes-1] == '\\' {
			escapes++
		}
		r.at++
		if escapes%2 == 0 {
			return
		}
	}
}

func (r *nodeReader) object() *Node {
	n := r.newNode(Object)
	var room [6]Member // enough for most objects
	members := room[:0]
	r.at++
	for r.skipTo() != '}' {
		start := r.at
		r.skipString()
		key := r.keys.text(r.data[start:r.at])
		r.skipTo()
		v := r.value()
		v.parent, v.index = n, int32(len(members))
		members = append(members, Member{Key: key, Value: v})
	}
	r.at++
	n.Members, r.members = keep(members, r.members, r.made/2)
	return r.ends(n)
}

func (r *nodeReader) array() *Node {
	n := r.newNode(Array)
	var room [4]*Node
	items := room[:0]
	r.at++
	for r.skipTo() != ']' {
		v := r.value()
		v.parent, v.index = n, int32(len(items))
		items = append(items, v)
	}
	r.at++
	n.Items, r.items = keep(items, r.items, r.made/8)
	return r.ends(n)
}

// keep returns a copy of a list that has a place in the room, and what is left of the room. If
// there is too little, it makes room for as many more as it is told, up to a limit; a long list has
// its own.
func keep[T any](list, room []T, more int) (kept, left []T) {
	n := len(list)
	switch {
	case n == 0:
		return nil, room
	case n > maxRoom/8:
		return slices.Clone(list), room
	case n > len(room):
		room = make([]T, min(max(8, n, more), maxRoom))
	}
	copy(room, list)
	return room[:n:n], room[n:]
}

// knownKeys are keys that were read before, also in other documents. The same few are in every
// message, and need no memory each time. Each key has one place; those that a message of any
// dialect has do not share theirs.
type knownKeys [256]string

// keySets are those that nobody uses now.
var keySets = sync.Pool{New: func() any { return new(knownKeys) }}

// longestKey is how long the keys are that are kept.
const longestKey = 32

// text returns the text of a key.
func (k *knownKeys) text(quoted []byte) string {
	text := quoted[1 : len(quoted)-1]
	if len(text) == 0 || len(text) > longestKey || bytes.IndexByte(text, '\\') >= 0 {
		return unquote(quoted)
	}
	known := &k[(len(text)*37+int(text[0])+int(text[len(text)-1])*5+int(text[len(text)/2])*3)%len(k)]
	if *known != string(text) {
		*known = string(text)
	}
	return *known
}
