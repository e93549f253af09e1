package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// lenient are the options with which documents are read: what a provider may accept is no error.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// isDocument reports whether data is exactly one JSON value. [readNodes] reads such data and no other.
func isDocument(data []byte) bool { return jsontext.Value(data).IsValid(lenient...) }

// MostValues is how many JSON values a request may have: one takes two bytes of a body, and
// hundreds of bytes where it is read. A history of 20,000 calls with their results has 200,000.
const MostValues = 500_000

// ErrTooManyValues is why a request is not read.
var ErrTooManyValues = fmt.Errorf("it has more than %d values", MostValues)

// hasMoreValues reports whether data is a document with more than so many values, the empty place
// in an empty list being one.
func hasMoreValues(data []byte, most int) bool {
	if len(data) <= most || marks(data) < most || !isDocument(data) {
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

// marks returns how many bytes of data may stand before a value, also where they are in a text.
func marks(data []byte) int {
	return bytes.Count(data, []byte(",")) + bytes.Count(data, []byte("[")) + bytes.Count(data, []byte("{"))
}

// nodeReader makes nodes of a document in one pass, which takes a fraction of the time of a reader of
// tokens. Nodes are allocated many at a time, since a long history has tens of thousands of them: a
// document is kept, or dropped, as a whole.
type nodeReader struct {
	data     []byte
	at       int    // of the byte that is read next
	deep     int    // in so many objects and lists
	byNumber bool   // a text has an escape by a number
	room     []Node // that is allocated, and not used yet
	made     int
	keys     *knownKeys

	continued *continued // nil: nothing is known of the document

	members []Member // room for them
	items   []*Node
}

// bytesPerNode is how long the text of a node is in most requests, at least.
const bytesPerNode = 16

// firstRoom is how many nodes are allocated at first, at most; maxRoom, at a time.
const firstRoom, maxRoom = 64, 256

// deepest is how deep a document may be nested, as in jsontext.
const deepest = 10_000

// readNodes returns the nodes of a document, or nil if the data is not exactly one JSON value.
func readNodes(data []byte, known *continued) *Node {
	keys := keySets.Get().(*knownKeys)
	defer keySets.Put(keys)
	r := nodeReader{data: data, keys: keys, continued: known}
	r.room = make([]Node, min(2+len(data)/bytesPerNode, firstRoom))
	r.skipSpace()
	root := r.value()
	if r.skipSpace(); root == nil || r.at < len(data) {
		return nil
	}
	root.wordy = !r.byNumber
	return root
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
	for r.at < len(r.data) {
		switch r.data[r.at] {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return
		}
	}
}

// next goes to the next byte that is no white space, and returns it; 0: there is none.
func (r *nodeReader) next() byte {
	if r.at < len(r.data) && r.data[r.at] > ' ' {
		return r.data[r.at]
	}
	if r.skipSpace(); r.at < len(r.data) {
		return r.data[r.at]
	}
	return 0
}

// take goes behind the next byte if it is the one that is wanted.
func (r *nodeReader) take(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// value reads a value, and returns nil if there is none.
func (r *nodeReader) value() *Node {
	switch r.next() {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		n := r.newNode(String)
		if !r.skipString() {
			return nil
		}
		return r.ends(n)
	case 'n':
		return r.word(Null, "null")
	case 't':
		return r.word(Bool, "true")
	case 'f':
		return r.word(Bool, "false")
	default:
		n := r.newNode(Number)
		if !r.skipNumber() {
			return nil
		}
		return r.ends(n)
	}
}

func (r *nodeReader) word(k Kind, word string) *Node {
	if !strings.HasPrefix(string(r.data[r.at:min(len(r.data), r.at+len(word))]), word) {
		return nil
	}
	n := r.newNode(k)
	r.at += len(word)
	return r.ends(n)
}

// skipNumber goes to the end of a number.
func (r *nodeReader) skipNumber() bool {
	r.skipOne("-")
	if !r.skipOne("0") && !r.skipDigits() {
		return false
	}
	if r.skipOne(".") && !r.skipDigits() {
		return false
	}
	if !r.skipOne("eE") {
		return true
	}
	r.skipOne("+-")
	return r.skipDigits()
}

// skipOne goes behind a byte that is one of some.
func (r *nodeReader) skipOne(of string) bool {
	if r.at == len(r.data) || strings.IndexByte(of, r.data[r.at]) < 0 {
		return false
	}
	r.at++
	return true
}

// skipDigits goes behind one digit or more.
func (r *nodeReader) skipDigits() bool {
	first := r.at
	for r.at < len(r.data) && r.data[r.at]-'0' <= 9 {
		r.at++
	}
	return r.at > first
}

// skipString goes to the end of a string, and reports whether it is one.
func (r *nodeReader) skipString() bool {
	data, at := r.data, r.at+1
	for {
		for at+8 <= len(data) {
			if marks := special(binary.LittleEndian.Uint64(data[at:])); marks != 0 {
				at += bits.TrailingZeros64(marks) / 8
				break
			}
			at += 8
		}
		if at >= len(data) {
			return false
		}
		switch c := data[at]; {
		case c == '"':
			r.at = at + 1
			return true
		case c == '\\':
			n := escape(data[at:])
			if n == 0 {
				return false
			}
			r.byNumber = r.byNumber || n > 2
			at += n
		case c < ' ':
			return false
		default:
			at++ // one of the last bytes
		}
	}
}

// special marks the first of eight bytes at which the text of a string does not just go on: a quote,
// a backslash, or a character that has to be escaped. Bytes behind it may be marked by mistake.
func special(eight uint64) uint64 {
	const each, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := eight^each*'"', eight^each*'\\'
	return ((quote-each)&^quote | (slash-each)&^slash | (eight-each*' ')&^eight) & high
}

// escape returns the length of the escape with which a text begins, or 0 if it is none.
func escape(text []byte) int {
	switch {
	case len(text) < 2:
		return 0
	case escaped[text[1]] != 0:
		return 2
	case text[1] != 'u' || len(text) < 6:
		return 0
	}
	for _, c := range text[2:6] {
		if c-'0' > 9 && c|0x20-'a' > 5 {
			return 0
		}
	}
	return 6
}

func (r *nodeReader) object() *Node {
	n := r.newNode(Object)
	var room [6]Member // enough for most objects
	members := room[:0]
	r.at++
	if r.deep++; r.deep > deepest {
		return nil
	}
	for !r.take('}') {
		if len(members) > 0 && !r.take(',') || r.next() != '"' {
			return nil
		}
		start := r.at
		if !r.skipString() {
			return nil
		}
		key := r.keys.text(r.data[start:r.at])
		if !r.take(':') {
			return nil
		}
		v := r.value()
		if v == nil {
			return nil
		}
		v.parent, v.index = n, int32(len(members))
		members = append(members, Member{Key: key, Value: v})
	}
	r.deep--
	n.Members, r.members = keep(members, r.members, r.made/2)
	return r.ends(n)
}

func (r *nodeReader) array() *Node {
	n := r.newNode(Array)
	if known := r.continued.itemsAt(r.at); known != nil {
		return r.goOn(n, known)
	}
	var room [4]*Node
	items := room[:0]
	r.at++
	if r.deep++; r.deep > deepest {
		return nil
	}
	for !r.take(']') {
		if len(items) > 0 && !r.take(',') {
			return nil
		}
		v := r.value()
		if v == nil {
			return nil
		}
		v.parent, v.index = n, int32(len(items))
		items = append(items, v)
	}
	r.deep--
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
