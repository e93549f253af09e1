package mockprovider

import (
	"net"
	"net/http"
	"strconv"
	"time"
)

// patience is how long a client may take to read what was written before the connection is given up.
const patience = 30 * time.Second

func (r response) writeHead(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", r.contentType)
	for k, v := range r.headers {
		h.Set(k, v)
	}
	if r.writes == nil {
		h.Set("Content-Length", strconv.Itoa(len(r.body)))
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	w.WriteHeader(r.status)
}

// send writes a response. A client that went away or does not read ends it early; there is nobody left to tell.
func (p *Provider) send(w http.ResponseWriter, req *http.Request, r response) {
	if r.gzip && takesGzip(req.Header) {
		r = r.compressed()
	}
	if r.toItself {
		r = r.with(map[string]string{"Location": req.URL.Path})
	}
	control := http.NewResponseController(w)
	control.SetWriteDeadline(time.Now().Add(patience)) // not all writers have one
	if !r.headless && !r.write(w, req, control) {
		return
	}
	if r.stall > 0 {
		control.SetWriteDeadline(time.Now().Add(r.stall + patience))
		p.config.Clock.Sleep(req.Context(), r.stall)
	}
	if r.ending == clean {
		return
	}
	if !r.headless { // a flush would send a head
		control.Flush()
	}
	sever(control, r.ending)
}

// write writes the head and the bytes of a response, and reports whether the client took them.
func (r response) write(w http.ResponseWriter, req *http.Request, control *http.ResponseController) bool {
	r.writeHead(w)
	if r.writes == nil {
		body := r.body
		if r.ending != clean {
			body = body[:len(body)/2]
		}
		w.Write(body)
	}
	for _, bytes := range r.writes {
		if _, err := w.Write(bytes); err != nil {
			return false
		}
		if control.Flush() != nil || req.Context().Err() != nil {
			return false
		}
	}
	if r.stall > 0 {
		control.Flush() // not even the head has to have been written
	}
	return true
}

// sever ends a connection in the middle of its response.
func sever(control *http.ResponseController, how ending) {
	conn, _, err := control.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the way of net/http to abort a response that cannot be hijacked
	}
	if tcp, ok := conn.(*net.TCPConn); ok && how == reset {
		tcp.SetLinger(0)
	}
	conn.Close()
}
