package engine

import (
	"bufio"
	"context"
	"io"
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
