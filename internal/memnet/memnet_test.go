package memnet

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// pair returns the two ends of a connection.
func pair(t *testing.T) (client, server net.Conn) {
	t.Helper()
	var network Network
	l, err := network.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dialled := make(chan net.Conn)
	go func() {
		conn, err := network.DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Error(err)
		}
		dialled <- conn
	}()
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return <-dialled, server
}

func TestBytesArriveInOrder(t *testing.T) {
	client, server := pair(t)
	sent := strings.Repeat("abcdefg", buffered) // more than is buffered
	go func() {
		io.WriteString(client, sent)
		client.Close()
	}()
	got, err := io.ReadAll(server)
	if err != nil || string(got) != sent {
		t.Errorf("%d bytes arrived of %d: %v", len(got), len(sent), err)
	}
}

func TestClosed(t *testing.T) {
	client, server := pair(t)
	io.WriteString(server, "last words")
	server.Close()
	if _, err := server.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("who closed reads %v", err)
	}
	if _, err := client.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the other end writes %v", err)
	}
	if got, err := io.ReadAll(client); string(got) != "last words" || err != nil {
		t.Errorf("the other end reads %q, %v", got, err)
	}
	client.Close()
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed at both ends, it reads %v", err)
	}
}

func TestReset(t *testing.T) {
	client, server := pair(t)
	io.WriteString(server, "arrived")
	server.(*conn).SetLinger(0)
	server.Close()
	if data, err := io.ReadAll(client); string(data) != "arrived" || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the other end reads %q, %v", data, err)
	}
}

func TestDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := pair(t)
		start := time.Now()
		client.SetReadDeadline(start.Add(time.Hour))
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != time.Hour {
			t.Errorf("after %v it reads %v", time.Since(start), err)
		}
		client.SetWriteDeadline(time.Now().Add(time.Minute))
		if n, err := client.Write(make([]byte, buffered+1)); n != buffered || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d bytes are written, %v", n, err)
		}
		client.SetDeadline(time.Time{})
		io.WriteString(server, "x")
		if n, err := client.Read(make([]byte, 2)); n != 1 || err != nil {
			t.Errorf("without a deadline it reads %d bytes, %v", n, err)
		}
	})
}

func TestNobodyListens(t *testing.T) {
	var network Network
	l, _ := network.Listen()
	address := l.Addr().String()
	l.Close()
	l.Close()
	for _, a := range []string{address, "memory:99"} {
		if _, err := network.DialContext(t.Context(), "tcp", a); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%s: %v", a, err)
		}
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed listener accepts: %v", err)
	}
	slow, _ := network.Listen()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := network.DialContext(ctx, "tcp", slow.Addr().String()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled dial: %v", err)
	}
}

// TestHTTP: with simulated time, HTTP works as over a real network, but for the time that it takes.
func TestHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network Network
		l, _ := network.Listen()
		left := make(chan time.Duration, 1)
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done(): // the client has gone
			case <-time.After(time.Hour):
			}
			left <- time.Since(start)
		})}
		go server.Serve(l)
		defer server.Close()
		transport := &http.Transport{DialContext: network.DialContext}
		defer transport.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+l.Addr().String(), nil)
		resp, err := (&http.Client{Transport: transport}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the body ends with %v", err)
		}
		if after := <-left; after != time.Minute {
			t.Errorf("the server noticed after %v", after)
		}
	})
}
