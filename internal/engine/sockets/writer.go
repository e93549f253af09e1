package sockets

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/coder/websocket"

	"github.com/loopproof/loopproof/internal/wire"
)

// writer sends each event of a stream as a message, and an answer that is none as an error.
type writer struct {
	ctx     context.Context
	conn    *websocket.Conn
	options *Options
	stream  string
	session wire.SocketSession // that tells events in words of its own; nil: none does
	head    http.Header
	status  int
	buffer  []byte
	ended   bool // the client was sent the last event of a response
	failed  bool // and that was an error
	err     error
}

// errBrokeOff ends a connection over which the rest of an answer does not come, as the end of the
// body does over HTTP: the client would wait for it.
var errBrokeOff = errors.New("the answer breaks off")

// errTooOld ends a connection whose client was told that it has lasted as long as it may.
var errTooOld = errors.New("the connection has lasted as long as it may")

func newWriter(ctx context.Context, conn *websocket.Conn, o *Options) *writer {
	return &writer{ctx: ctx, conn: conn, options: o, head: http.Header{}}
}

// Header returns the head of the response, which is not sent.
func (w *writer) Header() http.Header { return w.head }

// WriteHeader notes the status.
func (w *writer) WriteHeader(status int) { w.status = status }

// Flush does nothing: an event is sent when it is whole.
func (w *writer) Flush() {}

// Write sends the events that have ended.
func (w *writer) Write(b []byte) (int, error) {
	searched := len(w.buffer)
	w.buffer = append(w.buffer, b...)
	for w.streams() && w.err == nil {
		length := w.options.Frames.Length(w.buffer, searched)
		if length == 0 {
			break
		}
		for _, data := range w.options.Frames.Payloads(w.buffer[:length]) {
			w.message(data)
		}
		w.buffer, searched = w.buffer[length:], 0
	}
	return len(b), w.err
}

func (w *writer) streams() bool {
	return w.status <= http.StatusOK && strings.HasPrefix(w.head.Get("Content-Type"), w.options.Frames.Type)
}

// end sends what is not a stream, and ends the connection where an answer has no end.
func (w *writer) end() {
	switch {
	case w.err != nil || w.streams() && w.ended:
	case w.status > http.StatusOK:
		w.fail(w.status, w.buffer)
		if bytes.Equal(w.buffer, w.options.Socket.Expired.JSON()) {
			w.err = errTooOld
		}
	case !w.streams() && len(w.buffer) > 0:
		w.message(w.buffer)
	default:
		w.err = errBrokeOff
	}
}

// fail sends an error, which a session has nothing to say about.
func (w *writer) fail(status int, body []byte) {
	if data := w.options.Socket.Failure(status, body); w.session == nil {
		w.message(data)
	} else {
		w.send(data)
	}
}

// message sends an event, also one whose JSON is broken.
func (w *writer) message(data []byte) {
	if string(data) == w.options.Socket.EndMark || w.failed || w.err != nil {
		return
	}
	if event := wire.Parsed(data); event.Is(wire.Object) {
		w.ended = w.ended || w.options.Socket.Ends(event)
		w.failed = w.options.Socket.Fails != nil && w.options.Socket.Fails(event)
		if w.stream != "" {
			event.Set("stream_id", w.stream)
			data = event.JSON()
		}
		if w.session != nil {
			w.sends(w.session.Tells(event))
			return
		}
	}
	w.send(data)
}

// sends sends messages, and reports whether the client takes them.
func (w *writer) sends(messages [][]byte) bool {
	for _, data := range messages {
		w.send(data)
	}
	return w.err == nil
}

func (w *writer) send(data []byte) {
	if w.err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, w.options.Patience) // as over HTTP, a client that does not read is given up
	defer cancel()
	w.err = w.conn.Write(ctx, websocket.MessageText, data)
}
