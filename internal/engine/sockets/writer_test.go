package sockets

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/loopproof/loopproof/internal/wire"
)

// upgraded is a response to a request that becomes a WebSocket over a connection.
type upgraded struct {
	*httptest.ResponseRecorder
	conn net.Conn
}

func (u upgraded) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return u.conn, bufio.NewReadWriter(bufio.NewReader(u.conn), bufio.NewWriter(u.conn)), nil
}

// TestSocketOfAClientThatDoesNotRead: the connection is given up after the time that a client over
// HTTP has, and nothing more is sent over it.
func TestSocketOfAClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		defer client.Close()
		r := httptest.NewRequest(http.MethodGet, "/v1/responses", nil)
		for name, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
			r.Header.Set(name, value)
		}
		conn, err := websocket.Accept(upgraded{httptest.NewRecorder(), server}, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		const patience = 30 * time.Second
		out := newWriter(t.Context(), conn, &Options{Patience: patience, Frames: wire.SSE, Socket: &wire.Socket{Ends: func(*wire.Node) bool { return false }}})
		out.head.Set("Content-Type", wire.SSE.Type)
		begin := time.Now()
		event := []byte("data: {\"type\":\"response.created\"}\n\n")
		if _, err := out.Write(event); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the write ended with %v, want that its time is over", err)
		}
		if took := time.Since(begin); took != patience {
			t.Errorf("it was given up after %v, want %v", took, patience)
		}
		if _, err := out.Write(event); err == nil || time.Since(begin) != patience {
			t.Errorf("another event was tried: %v, %v after the first", err, time.Since(begin))
		}
	})
}
