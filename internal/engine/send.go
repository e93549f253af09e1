package engine

import (
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// patience is how long a client may take to read what was written before the connection is given up.
const patience = 30 * time.Second

// head are the headers of a response. Nobody may change them, since many exchanges have them.
type head struct {
	sent  http.Header
	noted http.Header // for the journal: without those about how the bytes travel
}

func newHead(r response) *head {
	noted := http.Header{}
	if r.contentType != "" {
		noted.Set("Content-Type", r.contentType)
	}
	for name, value := range r.headers {
		noted.Set(name, value)
	}
	sent := maps.Clone(noted)
	switch sent.Get("Content-Type") {
	case scenarios.NoContentType:
		sent["Content-Type"] = nil // which keeps net/http from guessing one
	case "":
		sent.Set("Content-Type", "")
	}
	if r.writes == nil {
		sent.Set("Content-Length", strconv.Itoa(len(r.body)))
	} else {
		sent.Set("Cache-Control", "no-cache")
	}
	return &head{sent, noted}
}

// headed returns the response with its head.
func (r response) headed() response {
	if r.head == nil {
		r.head = newHead(r)
	}
	return r
}

func (r response) writeHead(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.headed().head.sent)
	w.WriteHeader(r.status)
}

// send writes a response. A client that disconnects or does not read ends it early, which is not an error. It reports
// whether the connection was left open until we closed it.
func (p *Provider) send(w http.ResponseWriter, req *http.Request, r response) (heldOpen bool) {
	if r.gzip && takesGzip(req.Header) {
		r = r.compressed()
	}
	if r.redirectToSelf {
		r = r.with(map[string]string{"Location": req.URL.RequestURI()})
	}
	control := http.NewResponseController(w)
	control.SetWriteDeadline(time.Now().Add(patience)) // not all writers have one
	if !r.noResponse && !p.write(w, control, req, r) {
		return false
	}
	if r.stall > 0 {
		control.SetWriteDeadline(time.Now().Add(r.stall + patience))
		heldOpen = p.config.Clock.Sleep(req.Context(), r.stall) && r.leftOpen
	}
	if r.ending == clean {
		return heldOpen
	}
	if !r.noResponse { // a flush would send a head
		control.Flush()
	}
	sever(control, r.ending)
	return false
}

// write writes the head and the bytes of a response, and reports whether the client took them.
func (p *Provider) write(w http.ResponseWriter, control *http.ResponseController, req *http.Request, r response) bool {
	if r.cancelsAt(beforeAnswer) && r.cancel.reached(req.Context()) {
		return false
	}
	if r.wait > 0 && !p.linger(control, req, r.wait) {
		return false
	}
	r.writeHead(w)
	if r.writes == nil && !p.writeBody(w, req, r) {
		return false
	}
	if len(r.writes) > 0 && !p.writePieces(w, control, req, r) {
		return false
	}
	if r.ending == reset && len(r.writes) > 0 && !p.config.Clock.Sleep(req.Context(), resetDelay) {
		return false
	}
	if r.stall > 0 || r.cancelsAt(afterAnswer) {
		control.Flush() // not even the head has to have been written
	}
	if r.cancelsAt(afterAnswer) {
		r.cancel.reached(req.Context())
	}
	return true
}

// writePieces writes the pieces of a response, each flushed, at its pace, and reports whether the client took them.
func (p *Provider) writePieces(w http.ResponseWriter, control *http.ResponseController, req *http.Request, r response) bool {
	pace := p.pacerOf(r)
	for i, bytes := range r.writes {
		if i == r.early && r.cancelsAt(withinAnswer) && r.cancel.reached(req.Context()) {
			return false
		}
		if !p.put(w, req, r, bytes) || control.Flush() != nil || req.Context().Err() != nil {
			return false
		}
		if pause := pace.after(i); pause > 0 && !p.linger(control, req, pause) {
			return false
		}
	}
	return true
}

// writeBody writes a response that is sent at once, and reports whether the client stayed for it.
func (p *Provider) writeBody(w http.ResponseWriter, req *http.Request, r response) bool {
	half := len(r.body) / 2
	switch {
	case r.ending != clean:
		return p.put(w, req, r, r.body[:half])
	case r.cancelsAt(withinAnswer):
		w.Write(r.body[:half])
		http.NewResponseController(w).Flush()
		if r.cancel.reached(req.Context()) {
			return false
		}
		w.Write(r.body[half:])
	default:
		return p.put(w, req, r, r.body)
	}
	return true
}

// resetDelay is how long a stream waits before its connection is reset, so that a client which reads has what was sent.
const resetDelay = 2 * time.Millisecond

// openFor is how long a connection is left open after a complete answer. A loop that has not closed it by then waits for its
// end.
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
