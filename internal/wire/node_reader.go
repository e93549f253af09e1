package wire

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// nodeReader reads a document into nodes. A long history has tens of thousands of them, so that they are allocated many at a
// time: a document is kept, or dropped, as a whole.
type nodeReader struct {
	d    *jsontext.Decoder
	data []byte
	room []Node // that is allocated, and not used yet
	made int
	keys [128]string // that were read before, also in other documents
}

// nodeReaders are those that read nothing now. Each has buffers of its own.
var nodeReaders = sync.Pool{New: func() any { return &nodeReader{d: jsontext.NewDecoder(new(bytes.Buffer))} }}

func openNodeReader(data []byte) *nodeReader {
	r := nodeReaders.Get().(*nodeReader)
	r.data = data
	r.d.Reset(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return r
}

// close makes the reader ready for another document, and lets go of this one.
func (r *nodeReader) close() {
	r.d.Reset(new(bytes.Buffer))
	r.data, r.room, r.made = nil, nil, 0
	nodeReaders.Put(r)
}

// newNode returns a node from the room, of which there is twice as much each time, up to a limit.
func (r *nodeReader) newNode() *Node {
	if len(r.room) == 0 {
		r.room = make([]Node, min(max(8, r.made), 256))
	}
	n := &r.room[0]
	r.room = r.room[1:]
	r.made++
	return n
}

func (r *nodeReader) read() (*Node, error) {
	switch k := Kind(r.d.PeekKind()); k {
	case Object:
		return r.readObject()
	case Array:
		return r.readArray()
	default:
		v, err := r.d.ReadValue()
		if err != nil {
			return nil, err
		}
		if k == 'f' {
			k = Bool
		}
		end := r.d.InputOffset()
		start := end - int64(len(v))
		n := r.newNode()
		n.Kind, n.Raw, n.start = k, r.data[start:end], int(start)
		return n, nil
	}
}

func (r *nodeReader) readObject() (*Node, error) {
	if _, err := r.d.ReadToken(); err != nil {
		return nil, err
	}
	n := r.newNode()
	n.Kind = Object
	var room [6]Member // enough for most objects
	members := room[:0]
	start := r.d.InputOffset() - 1
	for r.d.PeekKind() != '}' {
		name, err := r.d.ReadValue()
		if err != nil {
			return nil, err
		}
		key := r.keyOf(name)
		v, err := r.read()
		if err != nil {
			return nil, err
		}
		v.parent, v.key = n, key
		members = append(members, Member{Key: key, Value: v})
	}
	if _, err := r.d.ReadToken(); err != nil {
		return nil, err
	}
	if len(members) > 0 {
		n.Members = make([]Member, len(members))
		copy(n.Members, members)
	}
	n.Raw, n.start = r.data[start:r.d.InputOffset()], int(start)
	return n, nil
}

func (r *nodeReader) readArray() (*Node, error) {
	if _, err := r.d.ReadToken(); err != nil {
		return nil, err
	}
	n := r.newNode()
	n.Kind = Array
	var room [4]*Node
	items := room[:0]
	start := r.d.InputOffset() - 1
	for r.d.PeekKind() != ']' {
		v, err := r.read()
		if err != nil {
			return nil, err
		}
		v.parent, v.index = n, len(items)
		items = append(items, v)
	}
	if _, err := r.d.ReadToken(); err != nil {
		return nil, err
	}
	if len(items) > 0 {
		n.Items = make([]*Node, len(items))
		copy(n.Items, items)
	}
	n.Raw, n.start = r.data[start:r.d.InputOffset()], int(start)
	return n, nil
}

// keyOf returns the text of a key. The same few keys are in every message, and need no memory each time.
func (r *nodeReader) keyOf(quoted []byte) string {
	text := quoted[1 : len(quoted)-1]
	if len(text) == 0 || len(text) > longestKey || bytes.IndexByte(text, '\\') >= 0 {
		return unquote(quoted)
	}
	known := &r.keys[(len(text)*31+int(text[0])*7+int(text[len(text)-1])*3+int(text[len(text)/2]))%len(r.keys)]
	if *known != string(text) {
		*known = string(text)
	}
	return *known
}

// longestKey is how long the keys are that are kept.
const longestKey = 32

// unquote returns the text of a JSON string.
func unquote(quoted []byte) string {
	if text := quoted[1 : len(quoted)-1]; bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	text, _ := jsontext.AppendUnquote(make([]byte, 0, len(quoted)), quoted)
	return string(text)
}
