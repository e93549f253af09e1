package wire

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// leastContinued is from how many bytes on a request is read by what was read of the one before.
// Below it costs more than it saves.
const leastContinued = 4 << 10

// CommonPrefix returns how many bytes two texts have in common at their beginning.
func CommonPrefix(a, b []byte) int {
	n, at := min(len(a), len(b)), 0
	if n < 4096 && bytes.Equal(a[:n], b[:n]) { // most pieces are the same
		return n
	}
	for _, step := range [...]int{4096, 64, 1} {
		for at+step <= n && bytes.Equal(a[at:at+step], b[at:at+step]) {
			at += step
		}
	}
	return at
}

// Continuable reports whether a later request of the conversation may be read by this one.
func (r *Request) Continuable() bool { return r.found != nil && len(r.MessageList().All()) > 0 }

// found is what was found out about messages at the beginning of a request's list, which all
// requests that go on from it need not find out again.
type found struct {
	mu  sync.Mutex
	all map[any]foundOf
}

type foundOf struct {
	count int
	what  any
}

// Found returns what was noted of messages at the beginning of the list, and of how many; by says
// what it is about.
func (r *Request) Found(by any) (count int, what any) {
	if r.found == nil {
		return 0, nil
	}
	r.found.mu.Lock()
	defer r.found.mu.Unlock()
	f := r.found.all[by]
	return f.count, f.what
}

// NoteFound notes something that follows from all messages in the list, and from nothing else. It
// is never changed afterwards.
func (r *Request) NoteFound(by, what any) {
	if r.found == nil {
		return
	}
	r.found.mu.Lock()
	defer r.found.mu.Unlock()
	if r.found.all == nil {
		r.found.all = map[any]foundOf{}
	}
	r.found.all[by] = foundOf{len(r.MessageList().All()), what}
}

// Look calls look with each item of the list, in order. look reports whether the item has something of
// a kind. Items at the beginning that are known to have nothing of it are skipped.
func (r *Request) Look(kind any, look func(at int, item *Node) bool) {
	none, _ := r.Found(kind)
	some := false
	for i, item := range r.MessageList().All()[none:] {
		some = look(none+i, item) || some
	}
	if !some {
		r.NoteFound(kind, nil)
	}
}

// goOnFrom takes what is known from an earlier request whose list begins with so many of the same
// items.
func (r *Request) goOnFrom(before *Request, same int) {
	if same == 0 {
		return
	}
	r.Body.wordy = r.Body.wordy && before.Body.wordy
	list := before.MessageList().Items
	r.known = before.Messages
	for len(r.known) > 0 && !r.known[0].begins(list) { // a system prompt may be beside the list
		r.known = r.known[1:]
	}
	if r.found == nil {
		return
	}
	r.past = r.pastOf(before, same)
	before.found.mu.Lock()
	defer before.found.mu.Unlock()
	r.found.all = maps.Clone(before.found.all)
	maps.DeleteFunc(r.found.all, func(_ any, of foundOf) bool { return of.count > same })
}

// Resume reads the whole request that a short one stands for, which continues what is kept. before
// returns a request that the body may begin like, or nil; it may be nil itself.
func (h *KeptHistory) Resume(kept *History, short *Request, before func(body []byte) *Request) (*Request, error) {
	body := h.Whole(kept, short)
	var earlier *Request
	if before != nil {
		earlier = before(body)
	}
	whole, err := short.Dialect.ReadAfter(body, earlier)
	if err != nil {
		return nil, err
	}
	whole.TakeHTTP(short)
	return whole, nil
}

// openRequest reads of a request what most dialects write alike: the model, and whether a stream is
// wanted. The error says why the body is not a JSON object.
func openRequest(d *Dialect, body []byte, known *continued) (*Request, error) {
	if hasMoreValues(body, MostValues) {
		return nil, ErrTooManyValues
	}
	root, err := parseNode(body, known)
	if err != nil {
		return nil, err
	}
	if !root.Is(Object) {
		return nil, fmt.Errorf("it is %s, not an object", root.Kind)
	}
	req := &Request{Dialect: d, Body: root, Model: root.Get("model").Text(), Stream: root.Get("stream").True(), memo: new(memo)}
	if len(body) >= leastContinued {
		req.found = new(found)
	}
	return req, nil
}

// DoubledKey is [Node.DoubledKey] of the body.
func (r *Request) DoubledKey() error {
	type noDoubledKey struct{}
	list := r.MessageList()
	none, _ := r.Found(noDoubledKey{})
	err := r.Body.doubledKey(func(n *Node) []*Node {
		if n == list {
			return n.Items[none:]
		}
		return n.Items
	})
	if err == nil {
		r.NoteFound(noDoubledKey{}, nil)
	}
	return err
}

// ReadMessages reads items of the list as a message each.
func (r *Request) ReadMessages(items []*Node, read func(*Node) Message) {
	known := 0
	for known < min(len(items), len(r.known)) && r.known[known].isOf(items[known:known+1]) {
		known++
	}
	r.takeOver(slices.Grow(r.Messages, len(items)), known)
	for _, item := range items[known:] {
		r.Messages = append(r.Messages, read(item))
	}
}

// takeOver appends so many messages of the request before to some.
func (r *Request) takeOver(messages []Message, known int) {
	r.Messages, r.known = append(messages, r.known[:known]...), r.known[known:]
	if r.past != nil && known > 0 {
		r.past.messages = len(r.Messages)
	}
}

// ReadTurns reads the items of a list in which those of the model that follow each other are one
// message, and each other one is a message.
func (r *Request) ReadTurns(items []*Node, ofModel func(*Node) bool, turn func([]*Node) Message, other func(*Node) Message) {
	one := func(of []*Node) Message { return other(of[0]) }
	begin := 0 // of the items of the model that follow each other
	for i, item := range items {
		if ofModel(item) {
			continue
		}
		if begin < i {
			r.ReadMessage(items[begin:i:i], turn)
		}
		r.ReadMessage(items[i:i+1:i+1], one)
		begin = i + 1
	}
	if begin < len(items) {
		r.ReadMessage(items[begin:], turn)
	}
}

// ReadMessage reads items that follow each other in the list as one message: the next one.
func (r *Request) ReadMessage(items []*Node, read func([]*Node) Message) {
	if len(r.known) > 0 && r.known[0].isOf(items) {
		r.takeOver(r.Messages, 1)
		return
	}
	r.known = nil // what is behind it is not known either
	r.Messages = append(r.Messages, read(items))
}

// begins reports whether a message is of the first items of a list.
func (m *Message) begins(list []*Node) bool {
	return m.Node == list[0] || m.Node != nil && len(m.Node.Items) > 0 && m.Node.Items[0] == list[0]
}

// isOf reports whether a message is of some items; see [Joined].
func (m *Message) isOf(items []*Node) bool {
	return m.Node == items[0] && len(items) == 1 || m.Node != nil && slices.Equal(m.Node.Items, items)
}

// continued says which items of a list an earlier document has, too.
type continued struct {
	list *Node // of the earlier one
	same int   // bytes at the beginning of both
}

// itemsAt returns the items of the list that begins at a place, with which both documents begin.
func (c *continued) itemsAt(start int) []*Node {
	if c == nil || start != c.list.start || start >= c.same {
		return nil
	}
	items := c.list.Items
	for n := len(items); n > 0; n-- {
		if last := items[n-1]; last.Kind == Object && last.end() <= c.same {
			return items[:n:n]
		}
	}
	return nil
}

func (n *Node) end() int { return n.start + len(n.Raw) }

// goOn reads a list behind items that are known. What is new has memory of its own, and does not
// refer to the document: otherwise a conversation would keep the bytes of all its requests.
func (r *nodeReader) goOn(n *Node, known []*Node) *Node {
	from := known[len(known)-1].end()
	own := nodeReader{data: r.data, at: from, deep: r.deep + 1, keys: r.keys}
	place := &Node{Kind: Array, start: n.start} // for the pointers of what is new
	place.parent = &Node{Kind: Object, Members: []Member{{Key: r.continued.list.Key(), Value: place}}}
	for n.Items = known; !own.take(']'); {
		if !own.take(',') {
			return nil
		}
		v := own.value()
		if v == nil {
			return nil
		}
		v.parent, v.index = place, int32(len(n.Items))
		n.Items = append(n.Items, v)
	}
	text := bytes.Clone(r.data[from:own.at])
	for _, v := range n.Items[len(known):] {
		v.Walk(func(v *Node) { v.Raw = text[v.start-from : v.end()-from : v.end()-from] })
	}
	r.at, r.byNumber = own.at, r.byNumber || own.byNumber
	return r.ends(n)
}
