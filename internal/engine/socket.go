package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/loopproof/loopproof/internal/wire"
)

// serveSocket answers the requests that a client sends over one connection, one after the other.
// Each is served as if it had come over HTTP and asked for a stream.
func (p *Provider) serveSocket(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	if !asksForSocket(r) {
		p.wrongMethod(w, r)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode:    websocket.CompressionContextTakeover,
		InsecureSkipVerify: true, // of the origin, which the guard has checked
	})
	if err != nil {
		return // it has answered
	}
	conn.SetReadLimit(p.config.Limits.Body)
	ctx, stop := eitherOf(r.Context(), p.ctx)
	messages := readMessages(ctx, stop, conn, p.config.Limits.Body)
	defer func() {
		stop()
		conn.CloseNow()
		for range messages.next { // until nobody reads any more
		}
	}()
	socket := d.Endpoint.Socket
	age := time.NewTimer(socket.Life)
	defer age.Stop()
	listener := &socketListener{conn: conn, socket: socket, messages: messages.next, old: age.C}
	local := newKeptHistories(true, &p.kept)
	defer local.close()
	for {
		message, ok := listener.next(ctx)
		messages.taken(message)
		if !ok || ctx.Err() != nil || !p.serveMessage(context.WithValue(ctx, localKey{}, local), local, conn, r, d, message) {
			return
		}
	}
}

// messageQueue are the messages of a connection that wait for their answers.
type messageQueue struct {
	next chan []byte
	size atomic.Int64 // of those that wait, in bytes
}

// maxWaiting is how many messages of a client wait for their answers, which together may be as long
// as the longest one.
const maxWaiting = 1000

// readMessages reads the messages of a connection until the client leaves, which is told at once.
// It reads while a message is answered, too, and while others wait: otherwise a client that leaves
// would not end its answer, and one that asks by pings whether we are there would take a slow
// answer for a connection that is dead.
func readMessages(ctx context.Context, gone func(), conn *websocket.Conn, most int64) *messageQueue {
	q := &messageQueue{next: make(chan []byte, maxWaiting)}
	go func() {
		defer close(q.next)
		defer gone()
		for {
			_, message, err := conn.Read(ctx)
			if err != nil {
				return
			}
			if !q.add(message, most) {
				conn.Close(websocket.StatusPolicyViolation, "too many messages wait for their answers")
				return
			}
		}
	}()
	return q
}

// add puts a message to those that wait, and reports whether there is room for it.
func (q *messageQueue) add(message []byte, most int64) bool {
	if waiting := q.size.Add(int64(len(message))) - int64(len(message)); waiting > 0 && waiting+int64(len(message)) > most {
		return false
	}
	select {
	case q.next <- message:
		return true
	default:
		return false
	}
}

// taken notes that a message does not wait any more.
func (q *messageQueue) taken(message []byte) { q.size.Add(-int64(len(message))) }

// serveMessage answers a message, and reports whether the connection is still good.
func (p *Provider) serveMessage(ctx context.Context, local *keptHistories, conn *websocket.Conn, r *http.Request, d *wire.Dialect, message []byte) (open bool) {
	out := &socketWriter{ctx: ctx, conn: conn, socket: d.Endpoint.Socket, head: http.Header{}}
	asked, problem := d.Endpoint.Socket.Read(message)
	if problem != nil {
		out.fail(http.StatusBadRequest, problem.JSON())
		return out.err == nil
	}
	out.stream = asked.Stream
	defer func() {
		if v := recover(); v != nil {
			if v != http.ErrAbortHandler { // a response that breaks off ends by it
				panic(v)
			}
			open = false
		}
	}()
	same := r.Clone(ctx)
	same.Method, same.Body, same.ContentLength = http.MethodPost, io.NopCloser(bytes.NewReader(asked.Body)), int64(len(asked.Body))
	same.Header.Set("Content-Type", jsonType)
	if asked.Warms {
		p.warm(out, same, d)
	} else {
		p.serveTurn(out, same, d)
	}
	if out.status >= http.StatusBadRequest { // what it continues from is lost to the connection
		local.remove(asked.Follows)
	}
	out.end()
	return out.err == nil
}

// warm keeps what a request says for the one after it, and lets the model say nothing.
func (p *Provider) warm(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	t, err := p.findTarget(r, d)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	s, in := t.settings(), p.read(t, r, d)
	if in.problem != nil {
		p.send(w, r, &in.problem.response)
		return
	}
	resp := response{id: newKeptID("resp_"), said: &wire.Answer{Finish: wire.FinishStop}}
	resp = resp.streaming(s, in)
	s.histories.local(in).keep(in, s.profile, &resp)
	if in.kept {
		p.tellKept(s, resp.id, s.histories.keep(in, s.profile, &resp), in.before.History(), in.continues())
	}
	p.send(w, r, &resp)
}

// streaming returns a response whose bytes are the events of what it says.
func (r response) streaming(s *settings, in *received) response {
	streamed := keptResponse(s, wire.KeptAnswer{Events: s.profile.Shape.Stream(r.said, compactOf(in, s.profile, &r).reply(in.request))})
	streamed.id, streamed.said = r.id, r.said
	return streamed
}

// localKey is under which the context of a request has the histories that its connection keeps.
type localKey struct{}

// local returns the histories that the connection of a request keeps, whether they are stored or
// not, or nil if it keeps none.
func (h *keptHistories) local(in *received) *keptHistories {
	local, _ := in.http.Context().Value(localKey{}).(*keptHistories)
	return local
}

// socketWriter sends each event of a stream as a message, and an answer that is none as an error.
type socketWriter struct {
	ctx    context.Context
	conn   *websocket.Conn
	socket *wire.Socket
	stream string
	head   http.Header
	status int
	buffer []byte
	ended  bool // the client was sent the last event of a response
	err    error
}

// errBrokeOff ends a connection over which the rest of an answer does not come, as the end of the
// body does over HTTP: the client would wait for it.
var errBrokeOff = errors.New("the answer breaks off")

// Header returns the head of the response, which is not sent.
func (w *socketWriter) Header() http.Header { return w.head }

// WriteHeader notes the status.
func (w *socketWriter) WriteHeader(status int) { w.status = status }

// Flush does nothing: an event is sent when it is whole.
func (w *socketWriter) Flush() {}

// Write sends the events that have ended.
func (w *socketWriter) Write(b []byte) (int, error) {
	searched := len(w.buffer)
	w.buffer = append(w.buffer, b...)
	for w.streams() && w.err == nil {
		length := wire.EventLength(w.buffer, searched)
		if length == 0 {
			break
		}
		for _, data := range wire.ReadEvents(w.buffer[:length]) {
			w.message(data)
		}
		w.buffer, searched = w.buffer[length:], 0
	}
	return len(b), w.err
}

func (w *socketWriter) streams() bool {
	return w.status <= http.StatusOK && strings.HasPrefix(w.head.Get("Content-Type"), bareStreamType)
}

// end sends what is not a stream, and ends the connection where an answer has no end.
func (w *socketWriter) end() {
	switch {
	case w.err != nil || w.streams() && w.ended:
	case w.status > http.StatusOK:
		w.fail(w.status, w.buffer)
	case !w.streams() && len(w.buffer) > 0:
		w.message(w.buffer)
	default:
		w.err = errBrokeOff
	}
}

func (w *socketWriter) fail(status int, body []byte) { w.message(w.socket.Failure(status, body)) }

// message sends an event, also one whose JSON is broken.
func (w *socketWriter) message(data []byte) {
	if string(data) == w.socket.EndMark || w.err != nil {
		return
	}
	if event := wire.Parsed(data); event.Is(wire.Object) {
		w.ended = w.ended || w.socket.Ends(event)
		if w.stream != "" {
			event.Set("stream_id", w.stream)
			data = event.JSON()
		}
	}
	ctx, cancel := context.WithTimeout(w.ctx, patience) // as over HTTP, a client that does not read is given up
	defer cancel()
	w.err = w.conn.Write(ctx, websocket.MessageText, data)
}

// asksForSocket reports whether a request wants to open a WebSocket.
func asksForSocket(r *http.Request) bool {
	return r.Header.Get("Upgrade") != "" && r.Header.Get("Sec-WebSocket-Version") == strconv.Itoa(13)
}
