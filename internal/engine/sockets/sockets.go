// Package sockets serves the requests that a client sends over one WebSocket, one after the other.
//
//	if sockets.Asked(r) {
//		sockets.Serve(w, r, sockets.Options{Socket: dialect.Endpoint.Socket, Frames: dialect.Frames(), MaxMessage: 32 << 20, Patience: time.Minute, Answer: answer})
//	}
//
// Each message becomes a request over HTTP that asks for a stream, and the events of the stream
// become messages.
package sockets

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"github.com/loopproof/loopproof/internal/wire"
)

// Options say how a connection is served.
type Options struct {
	// Socket is what the dialect says of its sockets.
	Socket *wire.Socket

	// Frames is how an answer is framed that comes as a stream.
	Frames *wire.Framer

	// MaxMessage is the length of the longest message that is read, in bytes.
	MaxMessage int64

	// Patience is how long a client may take to read a message before the connection is given up.
	Patience time.Duration

	// Answer answers the request of a message. A response that breaks off may end by
	// [http.ErrAbortHandler].
	Answer func(w http.ResponseWriter, r *http.Request, asked wire.SocketRequest)

	// Failed is called with a message that was answered by an error.
	Failed func(asked wire.SocketRequest)
}

// Asked reports whether a request wants to open a WebSocket.
func Asked(r *http.Request) bool {
	return r.Header.Get("Upgrade") != "" && r.Header.Get("Sec-WebSocket-Version") == strconv.Itoa(13)
}

// Serve opens a WebSocket, and answers its messages until the client leaves, or the context of the
// request ends.
func Serve(w http.ResponseWriter, r *http.Request, o Options) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode:    websocket.CompressionContextTakeover,
		InsecureSkipVerify: true, // of the origin, which the guard has checked
	})
	if err != nil {
		return // it has answered
	}
	conn.SetReadLimit(o.MaxMessage)
	ctx, stop := context.WithCancel(r.Context())
	messages := readMessages(ctx, stop, conn, o.MaxMessage)
	defer func() {
		stop()
		conn.CloseNow()
		for range messages.next { // until nobody reads any more
		}
	}()
	var session wire.SocketSession
	if o.Socket.Session != nil {
		session = o.Socket.Session(r.URL.Query().Get("model"))
		if !newWriter(ctx, conn, &o).sends(session.Opens()) {
			return
		}
	}
	age := time.NewTimer(o.Socket.Life)
	defer age.Stop()
	listener := &listener{conn: conn, options: &o, messages: messages.next, old: age.C}
	for {
		message, ok := listener.next(ctx)
		messages.taken(message)
		if !ok || ctx.Err() != nil || !o.serveMessage(ctx, conn, r, session, message) {
			return
		}
	}
}

// take reads a message, and reports whether it asks for a turn. Else the client is told what it is
// told.
func (o *Options) take(out *writer, message []byte) (asked wire.SocketRequest, asks bool) {
	if out.session != nil {
		said, request := out.session.Take(message)
		if !out.sends(said) || request == nil {
			return asked, false
		}
		return *request, true
	}
	asked, problem := o.Socket.Read(message)
	if problem != nil {
		out.fail(http.StatusBadRequest, problem.JSON())
	}
	return asked, problem == nil
}

// serveMessage answers a message, and reports whether the connection is still good.
func (o *Options) serveMessage(ctx context.Context, conn *websocket.Conn, r *http.Request, session wire.SocketSession, message []byte) (open bool) {
	out := newWriter(ctx, conn, o)
	out.session = session
	asked, asks := o.take(out, message)
	if !asks {
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
	same.Header.Set("Content-Type", "application/json")
	o.Answer(out, same, asked)
	if out.status >= http.StatusBadRequest {
		o.Failed(asked)
	}
	out.end()
	return out.err == nil
}
