package engine

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/loopproof/loopproof/internal/memnet"
)

// A client may open a connection ahead and send its first request a minute later.
func TestAConnectionThatIsOpenedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network memnet.Network
		l, err := network.Listen()
		if err != nil {
			t.Fatal(err)
		}
		server := Serve(l, New(Config{Limits: Limits{BodyTime: 5 * time.Second}}))
		defer server.Close()
		conn, err := network.DialContext(context.Background(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		time.Sleep(time.Minute)
		io.WriteString(conn, "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("the request is not answered: %v", err)
		}
		resp.Body.Close()
	})
}

// A client that sends the head of its request letter by letter loses its connection when the time for it is over.
func TestAHeadThatNeverEnds(t *testing.T) {
	server := newHTTPServer(http.NotFoundHandler(), Limits{})
	if server.ReadHeaderTimeout <= 0 || server.ReadHeaderTimeout > time.Minute {
		t.Fatalf("the head of a request may take %v", server.ReadHeaderTimeout)
	}
	server.ReadHeaderTimeout = 50 * time.Millisecond
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	defer server.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		io.Copy(io.Discard, conn)
	}()
	for _, letter := range []byte("GET / HTTP/1.1\r\nX-Slow: ") {
		conn.Write([]byte{letter})
	}
	for {
		select {
		case <-gone:
			return
		case <-time.After(5 * time.Millisecond):
			conn.Write([]byte("a"))
		}
	}
}
