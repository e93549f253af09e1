package wire

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// lenient are the options with which documents are read: what a provider may accept is no error.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// isDocument reports whether data is exactly one JSON value.
func isDocument(data []byte) bool { return jsontext.Value(data).IsValid(lenient...) }

// nodeReader makes nodes of a document that [isDocument]. It only has to find where each value ends, which takes a fraction
// of the time of a reader of tokens. Nodes are allocated many at a time, since a long history has tens of thousands of
// them: a document is kept, or dropped, as a whole.
type nodeReader struct {
	data []byte
	at   int    // of the byte that is read next
	room []Node // that is allocated, and not used yet
	made int
	keys *knownKeys
}

// bytesPerNode is how long the text of a node is in most requests, at least.
const bytesPerNode = 16

// maxRoom is how many nodes are allocated at a time, at most.
const maxRoom = 256

// readNodes returns the nodes of a document that [isDocument].
func readNodes(data []byte) *Node {
	keys := keySets.Get().(*knownKeys)
	defer keySets.Put(keys)
	r := nodeReader{data: data, keys: keys}
	r.room = make([]Node, min(2+len(data)/bytesPerNode, maxRoom))
	r.skipSpace()
	return r.value()
}

// newNode returns a node from the room, of which there is twice as much each time, up to a limit.
func (r *nodeReader) newNode(k Kind) *Node {
	if len(r.room) == 0 {
		r.room = make([]Node, min(max(8, r.made), maxRoom))
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

// skipTo goes to the next byte that is neither white space nor a comma or a colon, which a document has where they belong.
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

// skipString goes to the end of a string. A quote ends it unless an odd number of backslashes is before it.
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
		v.parent, v.key = n, key
		members = append(members, Member{Key: key, Value: v})
	}
	r.at++
	if len(members) > 0 {
		n.Members = make([]Member, len(members))
		copy(n.Members, members)
	}
	return r.ends(n)
}

func (r *nodeReader) array() *Node {
	n := r.newNode(Array)
	var room [4]*Node
	items := room[:0]
	r.at++
	for r.skipTo() != ']' {
		v := r.value()
		v.parent, v.index = n, len(items)
		items = append(items, v)
	}
	r.at++
	if len(items) > 0 {
		n.Items = make([]*Node, len(items))
		copy(n.Items, items)
	}
	return r.ends(n)
}

// knownKeys are keys that were read before, also in other documents. The same few are in every message, and need no
// memory each time.
type knownKeys [128]string

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
	known := &k[(len(text)*31+int(text[0])*7+int(text[len(text)-1])*3+int(text[len(text)/2]))%len(k)]
	if *known != string(text) {
		*known = string(text)
	}
	return *known
}

// words are texts that most requests have many times, and that need no memory each time.
var words = func() map[string]string {
	all := map[string]string{}
	for _, word := range []string{"", "system", "developer", "user", "assistant", "tool", "model", "function", "text", "object", "string"} {
		all[word] = word
	}
	return all
}()

// longestWord is how long the longest of them is.
const longestWord = len("developer")

// scratches are buffers that nobody uses now, as *[]byte.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// maxScratch is how long a buffer is that is kept.
const maxScratch = 1 << 20

// unquote returns the text of a JSON string.
func unquote(quoted []byte) string {
	text := quoted[1 : len(quoted)-1]
	if len(text) <= longestWord {
		if word, known := words[string(text)]; known {
			return word
		}
	}
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	plain, _ := jsontext.AppendUnquote((*scratch)[:0], quoted)
	if cap(plain) <= maxScratch {
		*scratch = plain
	}
	return string(plain)
}
