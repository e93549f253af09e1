package serverconns_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/loopproof/loopproof/internal/engine/serverconns"
	"github.com/loopproof/loopproof/internal/memnet"
)

const (
	head    = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"
	request = head + "hello"
)

// dial returns a connection to a server that gives 10 s for the head of a request, 30 s for all of
// it, and two minutes for the first byte. Time is simulated.
func dial(t *testing.T) net.Conn {
	t.Helper()
	var network memnet.Network
	l, err := network.Listen()
	if err != nil {
		t.Fatal(err)
	}
	server := serverconns.New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(w, r.Body); err != nil {
			panic(http.ErrAbortHandler)
		}
	}), 30*time.Second)
	go server.Serve(serverconns.Listen(l))
	conn, err := network.DialContext(context.Background(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Close()
	})
	return conn
}

// answered reports whether a request that is written to the connection, its parts some time apart,
// is answered.
func answered(t *testing.T, conn net.Conn, apart time.Duration, parts ...string) bool {
	t.Helper()
	for i, part := range parts {
		if i > 0 {
			time.Sleep(apart)
		}
		if _, err := io.WriteString(conn, part); err != nil {
			return false
		}
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func TestAConnectionThatWasOpenedAhead(t *testing.T) {
	for _, c := range []struct {
		name    string
		idle    time.Duration
		answers bool
		apart   time.Duration
		cut     int // of the request, where it is written in two parts; 0: in one
	}{
		{name: "used at once", answers: true},
		{name: "used after a minute", idle: time.Minute, answers: true},
		{name: "used after three minutes", idle: 3 * time.Minute},
		{name: "a slow head", cut: 10, apart: 9 * time.Second, answers: true},
		{name: "a slow head after a minute", idle: time.Minute, cut: 10, apart: 9 * time.Second, answers: true},
		{name: "a head that takes too long", cut: 10, apart: 11 * time.Second},
		{name: "a head that takes too long after a minute", idle: time.Minute, cut: 1, apart: 11 * time.Second},
		{name: "a slow body after a minute", idle: time.Minute, cut: len(head) + 1, apart: 29 * time.Second, answers: true},
		{name: "a body that takes too long after a minute", idle: time.Minute, cut: len(head) + 1, apart: 31 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := dial(t)
				time.Sleep(c.idle)
				parts := []string{request}
				if c.cut > 0 {
					parts = []string{request[:c.cut], request[c.cut:]}
				}
				if got := answered(t, conn, c.apart, parts...); got != c.answers {
					t.Errorf("answered: %t, want %t", got, c.answers)
				}
				if c.answers && !answered(t, conn, 0, request) {
					t.Error("the next request on the connection is not answered")
				}
			})
		})
	}
}

// lingering is a connection that notes how it is closed.
type lingering struct {
	net.Conn
	calls []string
}

func (l *lingering) SetLinger(int) error { l.calls = append(l.calls, "linger"); return nil }
func (l *lingering) CloseWrite() error   { l.calls = append(l.calls, "close-write"); return nil }

type one struct{ conn net.Conn }

func (o one) Accept() (net.Conn, error) { return o.conn, nil }
func (o one) Close() error              { return nil }
func (o one) Addr() net.Addr            { return nil }

func TestMethodsOfTheConnection(t *testing.T) {
	inner := &lingering{}
	conn, _ := serverconns.Listen(one{inner}).Accept()
	conn.(interface{ SetLinger(int) error }).SetLinger(0)
	conn.(interface{ CloseWrite() error }).CloseWrite()
	if got := strings.Join(inner.calls, " "); got != "linger close-write" {
		t.Errorf("called: %s", got)
	}
}
