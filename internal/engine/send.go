package engine

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// patience is how long a client may take to read what was written before the connection is given
// up.
const patience = 30 * time.Second

// header returns the headers of a response for the journal: without those about how the bytes
// travel.
func (r *response) header() http.Header {
	if r.head != nil {
		return r.head
	}
	h, values := make(http.Header, len(r.headers)+1), make([]string, 0, len(r.headers)+1)
	set := func(name, value string) {
		n := len(values)
		values = append(values, value)
		h[name] = values[n : n+1 : n+1]
	}
	if r.contentType != "" {
		set("Content-Type", r.contentType)
	}
	for name, value := range r.headers {
		set(http.CanonicalHeaderKey(name), value)
	}
	return h
}

// sending is a response on its way to a client. It is in one place, since the stack of each open
// stream is memory.
type sending struct {
	*response
	clock   Clock
	w       http.ResponseWriter
	control http.ResponseController
	req     *http.Request
	ctx     context.Context // that of the request, or one that ends with more than that
	until   time.Time       // by which the client has to have read
	due     time.Time       // of the next write, if the response comes at a speed
	written int             // bytes of the body
	begun   bool            // the head is written
	left    bool            // the client was gone before the response had ended
}

// send writes a response. A client that disconnects or does not read ends it early, which is not an
// error. It reports whether the connection was left open until we closed it.
func (p *Provider) send(w http.ResponseWriter, req *http.Request, r *response) (heldOpen bool) {
	return p.newSending(w, req, r).send()
}

func (p *Provider) newSending(w http.ResponseWriter, req *http.Request, r *response) *sending {
	if r.gzip && takesGzip(req.Header) {
		r = new(r.compressed())
	}
	if r.redirectToSelf {
		r = new(r.with(map[string]string{"Location": req.URL.RequestURI()}))
	}
	return &sending{response: r, clock: p.config.Clock, w: w, control: *http.NewResponseController(w), req: req, ctx: req.Context()}
}

// endWith ends the response with a context, too, until it is stopped.
func (s *sending) endWith(other context.Context) (stop func()) {
	s.ctx, stop = eitherOf(s.ctx, other)
	return stop
}

// eitherOf returns a context that ends with either of two.
func eitherOf(ctx, other context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(other, cancel)
	return ctx, func() { stop(); cancel() }
}

func (s *sending) send() (heldOpen bool) {
	s.allow(0)
	if !s.noResponse && !s.write() {
		if s.ctx.Err() != nil && s.req.Context().Err() == nil { // the run has ended: half an answer is no whole one, and nothing no empty one
			sever(&s.control, severed)
			return false
		}
		s.left = s.written < s.size() || s.stall > 0 && !s.leftOpen // one that has all may go, where nothing else would come
		return false
	}
	if s.stall > 0 {
		stayed := s.linger(s.stall)
		heldOpen = stayed && s.leftOpen
		s.left = !stayed && !s.leftOpen && s.req.Context().Err() != nil
	}
	if s.ending == clean {
		return heldOpen
	}
	if !s.noResponse { // a flush would send a head
		s.control.Flush()
		if s.ending == reset && !s.clock.Sleep(s.ctx, resetDelay) {
			return false
		}
	}
	sever(&s.control, s.ending)
	return false
}

// write writes the head and the bytes of a response, and reports whether the client took them.
func (s *sending) write() bool {
	if s.held(beforeAnswer) || s.wait > 0 && !s.linger(s.wait) {
		return false
	}
	s.writeHead()
	if s.writes == nil && !s.writeBody() || s.writes.Len() > 0 && !s.writePieces() {
		return false
	}
	if s.stall > 0 || s.holdsAt(afterAnswer) {
		s.control.Flush() // not even the head has to have been written
	}
	s.held(afterAnswer)
	return true
}

func (s *sending) writeHead() {
	header := s.w.Header()
	maps.Copy(header, s.header())
	switch header.Get("Content-Type") {
	case scenarios.NoContentType:
		header["Content-Type"] = nil // which keeps net/http from guessing one
	case "":
		header.Set("Content-Type", "")
	}
	if s.writes == nil {
		header.Set("Content-Length", strconv.Itoa(len(s.body)))
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if s.writes.Len() == 1 && s.endsAtOnce(0) && s.req.ProtoMajor == 1 {
		header["Transfer-Encoding"] = []string{"chunked"} // as of other streams; net/http would count a short one that is not flushed
	}
	s.w.WriteHeader(s.status)
	s.begun = true
}

// held holds the answer at a part of it, if that is where, and reports whether the client has gone.
func (s *sending) held(at answerPart) bool {
	if !s.holdsAt(at) {
		return false
	}
	gone := s.hold.reached(s.ctx)
	s.allow(0) // to read what comes now
	return gone
}

// writePieces writes the pieces of a response, each flushed, at its pace, and reports whether the
// client took them.
func (s *sending) writePieces() bool {
	if s.keepsPace {
		s.due = s.clock.Now()
	}
	for i, bytes := range s.writes.All() {
		if i == s.early && s.held(withinAnswer) {
			return false
		}
		if !s.put(bytes) || !s.endsAtOnce(i) && s.control.Flush() != nil || s.ctx.Err() != nil {
			return false
		}
		if pause := s.after(i); pause > 0 && !s.linger(pause) {
			return false
		}
	}
	return true
}

// endsAtOnce reports whether nothing is waited for behind a piece: net/http sends it together with
// the end of the response.
func (s *sending) endsAtOnce(piece int) bool {
	unpaced := !s.keepsPace && s.pause == 0 && (piece >= len(s.pauses) || s.pauses[piece] == 0)
	return piece == s.writes.Len()-1 && unpaced && s.ending == clean && s.stall == 0 && !s.holdsAt(afterAnswer)
}

// writeBody writes a response that is sent at once, and reports whether the client stayed for it.
func (s *sending) writeBody() bool {
	half := len(s.body) / 2
	switch {
	case s.ending != clean:
		return s.put(s.body[:half])
	case s.holdsAt(withinAnswer):
		s.put(s.body[:half])
		s.control.Flush()
		if s.held(withinAnswer) {
			return false
		}
		s.put(s.body[half:])
	default:
		return s.put(s.body)
	}
	return true
}

// resetDelay is how long a connection stays open before it is reset, so that a client which reads
// has what was sent.
const resetDelay = 2 * time.Millisecond

// openFor is how long a connection is left open after a complete answer. A loop that has not closed
// it by then waits for its end.
const openFor = 3 * time.Second

// sever ends a connection in the middle of its response.
func sever(control *http.ResponseController, how ending) {
	conn, _, err := control.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the way of net/http to abort a response that cannot be hijacked
	}
	if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok && how == reset {
		tcp.SetLinger(0)
	}
	conn.Close()
}
