package journal

import (
	"bytes"

	"github.com/loopproof/loopproof/internal/wire"
)

// compactAbove is how long a body is of which only what is new is kept. A history is sent again with every request, so
// that a long conversation would take the square of its length.
const compactAbove = 32_000

// compacted returns an entry that shares with an earlier one what both say. Without any it is the entry itself.
func (e Entry) compacted(earlier []Entry) Entry {
	var before Entry
	most := 0
	for _, b := range earlier {
		if n := kinship(b, e); !b.Forgotten && n > most {
			before, most = b, n
		}
	}
	if most == 0 {
		return e
	}
	req, own := sharing(e.Exchange.Request, before.Exchange.Request)
	if req == nil {
		return e
	}
	whole := e.Body()
	same := 0
	e.body = nil
	for _, piece := range before.body {
		n := commonPrefix(piece, whole[same:])
		e.body = append(e.body, piece[:n])
		same += n
		if n < len(piece) {
			break
		}
	}
	e.body = append(e.body, bytes.Clone(whole[same:]))
	e.Exchange.Request, e.own = req, len(whole)-same+2*own
	return e
}

// commonPrefix returns how many bytes two texts have in common at their beginning.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	const step = 4096
	at := 0
	for at+step <= n && bytes.Equal(a[at:at+step], b[at:at+step]) {
		at += step
	}
	for at < n && a[at] == b[at] {
		at++
	}
	return at
}

// sharing reads a request again without the messages that it shares with an earlier one, and takes those from there. It
// also returns how many bytes it read. It is nil where that cannot be done.
func sharing(req, before *wire.Request) (*wire.Request, int) {
	same := common(before, req)
	if same == 0 {
		return nil, 0
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
	body := shorter.JSON()
	compact, err := req.Dialect.Read(body)
	if err != nil || len(compact.Messages) != len(req.Messages) {
		return nil, 0
	}
	compact.Model, compact.Stream, compact.Array = req.Model, req.Stream, req.Array // which its URL may say
	copy(compact.Messages[:same], before.Messages[:same])
	return compact, len(body)
}
