package sockets

import (
	"context"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/loopproof/loopproof/internal/engine/serverconns"
)

// A client over a WebSocket is asked so often whether it is there while nothing else is said, and
// has so long to answer. OpenAI's server gives up sooner, after some 85 s
// (https://github.com/router-for-me/CLIProxyAPI/issues/5734): a client that does not read while it
// runs a tool is not to fail here by the time that the tool takes. It has as long as between two
// requests over HTTP.
const (
	pingEvery  = 20 * time.Second
	pongWithin = serverconns.IdleTime
)

// listener waits for the messages of a client.
type listener struct {
	conn     *websocket.Conn
	options  *Options
	messages <-chan []byte
	old      <-chan time.Time // when the connection has lasted as long as it may
	answered func()           // waits until nothing is being answered
}

// next returns the next message, and false when none will come: the client has left, is gone, or
// was sent away.
func (l *listener) next(ctx context.Context) (message []byte, ok bool) {
	for {
		quiet := time.NewTimer(pingEvery)
		select {
		case message, ok = <-l.messages:
			quiet.Stop()
			return message, ok
		case <-l.old:
			quiet.Stop()
			l.sendAway(ctx)
			return nil, false
		case <-quiet.C:
		}
		message, ok, alive := l.ping(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, false
		case !alive:
			l.conn.Close(websocket.StatusInternalError, "keepalive ping timeout")
			return nil, false
		case message != nil || !ok:
			return message, ok
		}
	}
}

// ping asks the client whether it is there. A message that comes meanwhile says so, too; no message
// and ok: the ping was answered.
func (l *listener) ping(ctx context.Context) (message []byte, ok, alive bool) {
	ctx, cancel := context.WithTimeout(ctx, pongWithin)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- l.conn.Ping(ctx) }()
	select {
	case message, ok = <-l.messages:
		return message, ok, true
	case <-l.old:
		l.sendAway(ctx)
		return nil, false, true
	case err := <-answered:
		return nil, true, err == nil
	}
}

// sendAway tells a client that its connection has lasted as long as it may, once it has its answers.
func (l *listener) sendAway(ctx context.Context) {
	l.answered()
	out := newWriter(ctx, l.conn, l.options)
	out.fail(http.StatusBadRequest, l.options.Socket.Expired.JSON())
	l.conn.Close(websocket.StatusGoingAway, "")
}
