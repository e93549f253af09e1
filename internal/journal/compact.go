package journal

import (
	"bytes"

	"github.com/loopproof/loopproof/internal/wire"
)

// compactAbove is how long a body is of which only what is new is kept. A history is sent again
// with every request, so that a long conversation would take the square of its length.
const compactAbove = 16_000

// makeCompact prepares an entry of which only the bytes of its request are kept until somebody
// looks at it, for what is read of them takes several times their memory. Of a long body it keeps
// what no earlier entry has.
func (e *Entry) makeCompact(j *Journal) {
	req, whole := e.Exchange.Request, e.Body()
	if req == nil || e.before == nil && !bytes.Equal(req.Body.Raw, bytes.TrimSpace(whole)) {
		return // unreadable, or put together out of several requests
	}
	e.compact = req.Outline()
	if len(whole) > compactAbove {
		e.share(whole, j.latest())
	}
}

// share replaces the beginning of a body by that of the earlier entry which has most of it.
func (e *Entry) share(whole []byte, earlier []*body) {
	var from *body
	most := 0
	for i := len(earlier) - 1; i >= 0 && most < len(whole)/2; i-- {
		if n := earlier[i].common(whole); n > most {
			from, most = earlier[i], n
		}
	}
	switch {
	case most <= compactAbove/2:
	case most == len(whole) && most == from.size():
		e.body = from
	default:
		e.body = from.followedBy(most, whole[most:])
	}
}

// latest returns the bodies of the entries of which a new one may be the next of the same
// conversation.
func (j *Journal) latest() []*body {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := make([]*body, 0, maxCandidates)
	for i := max(0, len(j.entries)-maxCandidates); i < len(j.entries); i++ {
		all = append(all, j.at(i).body)
	}
	return all
}

// expand reads the request of the i-th entry again if it is compact. Of a long one it reads what no
// earlier entry says.
func (j *Journal) expand(i int) {
	e := j.at(i)
	if e.compact == nil {
		return
	}
	req, err := e.reread()
	if err != nil {
		return // which cannot be: these bytes were read before
	}
	j.slot(i).expanded = int64(e.compactSize())
	j.expanded += j.slot(i).expanded
	e.Exchange.Request, e.compact = req, nil
	if before := j.before(i); before != nil && len(req.Body.Raw) > compactAbove {
		e.Exchange.Request = sharing(req, before)
	}
}

// Expanded returns the entry with its request, which it reads again if the body is compact. The
// journal does not keep what is read.
func (e Entry) Expanded() Entry {
	if e.compact == nil {
		return e
	}
	if req, err := e.reread(); err == nil {
		e.Exchange.Request, e.compact = req, nil
	}
	return e
}

// reread reads the request of a compact entry again.
func (e *Entry) reread() (*wire.Request, error) {
	req, err := e.compact.Reread(e.Body())
	if err != nil || e.before == nil {
		return req, err
	}
	return e.before.Resume(req, nil)
}

// MostExpanded is how many bytes of requests should be read at a time for a journal to keep what
// was read, so that the next look is quick. Of more, each is read when it is looked at: what is
// read of a body may take twenty times its memory.
const MostExpanded = 32 << 20

// Short reports whether the requests that are compact are together short enough for a journal to
// keep what is read of them; see [MostExpanded].
func Short(entries []Entry) bool {
	size := 0
	for i := range entries {
		size += entries[i].compactSize()
	}
	return size <= MostExpanded
}

// compactSize returns about how many bytes [Entry.Expanded] reads; 0: none.
func (e *Entry) compactSize() (n int) {
	if e.compact == nil {
		return 0
	}
	n = e.body.size()
	if e.before != nil {
		n += int(e.before.whole)
	}
	return n
}

// model returns the model that is asked for, and false if the request cannot be read.
func (e Entry) model() (string, bool) {
	switch {
	case e.API != "":
		body, err := wire.ParseNode(e.Body())
		return body.Get("model").Text(), err == nil && body.Get("model").Is(wire.String)
	case e.Exchange.Request != nil:
		return e.Exchange.Request.Model, true
	case e.compact != nil:
		return e.compact.Model, true
	default:
		return "", false
	}
}

// before returns the request whose conversation the i-th entry continues, or nil.
func (j *Journal) before(i int) *wire.Request {
	var before *wire.Request
	most := 0
	for k := max(0, i-maxCandidates); k < i; k++ {
		if n := kinship(*j.at(k), *j.at(i)); n > most {
			before, most = j.at(k).Exchange.Request, n
		}
	}
	return before
}

// sharing reads a request again without the messages that it shares with an earlier one, and takes
// those from there. Where that cannot be done, it returns the request.
func sharing(req, before *wire.Request) *wire.Request {
	same := req.Repeats(before)
	if same == 0 {
		return req
	}
	items := req.MessageList().Items
	gaps := same - (len(req.Messages) - len(items)) // a system prompt may be alongside the messages
	var shorter wire.Fields
	for _, m := range req.Body.Members {
		if m.Key != req.Dialect.Request.Messages {
			shorter = shorter.With(m.Key, wire.Raw(m.Value.Raw))
			continue
		}
		left := make([]any, len(items)) // null, so that all others keep their place
		for i := max(0, gaps); i < len(items); i++ {
			left[i] = wire.Raw(items[i].Raw)
		}
		shorter = shorter.With(m.Key, left)
	}
	compact, err := req.Reread(shorter.JSON())
	if err != nil || len(compact.Messages) != len(req.Messages) {
		return req
	}
	copy(compact.Messages[:same], before.Messages[:same])
	return compact
}
