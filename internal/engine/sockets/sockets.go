// Package sockets serves the requests that a client sends over one WebSocket: those of one lane one
// after the other, and those of several at the same time.
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
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
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
	c := &connection{Options: &o, conn: conn, opened: r, end: stop, messages: readMessages(ctx, stop, conn, o.MaxMessage)}
	c.lanes.most = o.Socket.AtATime
	defer c.close()
	if o.Socket.Session != nil {
		c.session = o.Socket.Session(r.URL.Query().Get("model"))
		if !newWriter(ctx, conn, &o).sends(c.session.Opens()) {
			return
		}
	}
	age := time.NewTimer(o.Socket.Life)
	defer age.Stop()
	listener := &listener{conn: conn, options: &o, messages: c.messages.next, old: age.C, answered: c.lanes.wait}
	for {
		message, ok := listener.next(ctx)
		if !ok || !c.take(ctx, message) {
			return
		}
	}
}

// connection is a WebSocket that is served.
type connection struct {
	*Options
	conn     *websocket.Conn
	opened   *http.Request // by which the client opened it
	session  wire.SocketSession
	messages *messageQueue
	lanes    lanes
	end      func() // ends the connection, and what is answered over it

	bug atomic.Pointer[string] // of an answer that failed by a bug of ours
}

// close ends the connection, and returns when nothing of it is left. A bug is told by the
// goroutine of the request, as it is over HTTP.
func (c *connection) close() {
	c.end()
	c.conn.CloseNow()
	for range c.messages.next { // until nobody reads any more
	}
	c.lanes.wait()
	if bug := c.bug.Load(); bug != nil {
		panic(*bug)
	}
}

// take reads a message, lets it be answered where it asks for something, and reports whether the
// connection is still good.
func (c *connection) take(ctx context.Context, message []byte) bool {
	out := newWriter(ctx, c.conn, c.Options)
	out.session = c.session
	asked, asks := c.read(out, message)
	if !asks {
		c.messages.taken(message)
		return out.err == nil
	}
	c.lanes.add(asked.Stream, func() {
		c.messages.taken(message)
		if ctx.Err() == nil && !c.answer(ctx, out, asked) {
			c.end()
		}
	})
	if c.session != nil { // which is one conversation
		c.lanes.wait()
	}
	return true
}

// read reads a message, and reports whether it asks for a turn. Else the client is told what it is
// told.
func (c *connection) read(out *writer, message []byte) (asked wire.SocketRequest, asks bool) {
	if c.session != nil {
		said, request := c.session.Take(message)
		if !out.sends(said) || request == nil {
			return asked, false
		}
		return *request, true
	}
	asked, problem := c.Socket.Read(message)
	out.stream = asked.Stream
	if problem == nil && !c.lanes.named(asked.Stream, c.Socket.Named) {
		problem = c.Socket.Crowded
	}
	if problem != nil {
		out.fail(http.StatusBadRequest, problem.JSON())
	}
	return asked, problem == nil
}

// answer answers a request, and reports whether the connection is still good.
func (c *connection) answer(ctx context.Context, out *writer, asked wire.SocketRequest) (open bool) {
	defer func() {
		if v := recover(); v != nil {
			if v != http.ErrAbortHandler { // a response that breaks off ends by it
				bug := fmt.Sprintf("%v\n%s", v, debug.Stack())
				c.bug.Store(&bug)
			}
			open = false
		}
	}()
	same := c.opened.Clone(ctx)
	same.Method, same.Body, same.ContentLength = http.MethodPost, io.NopCloser(bytes.NewReader(asked.Body)), int64(len(asked.Body))
	same.Header.Set("Content-Type", "application/json")
	c.Answer(out, same, asked)
	if out.status >= http.StatusBadRequest {
		c.Failed(asked)
	}
	out.end()
	return out.err == nil
}
