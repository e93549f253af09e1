package serverconns

import (
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
)

// Only a connection that was never used is closed.
func TestClose(t *testing.T) {
	for name, c := range map[string]struct {
		states []http.ConnState
		closed bool
	}{
		"never used":     {[]http.ConnState{http.StateNew}, true},
		"in a request":   {[]http.ConnState{http.StateNew, http.StateActive}, false},
		"idle":           {[]http.ConnState{http.StateNew, http.StateActive, http.StateIdle}, false},
		"a WebSocket":    {[]http.ConnState{http.StateNew, http.StateActive, http.StateHijacked}, false},
		"closed already": {[]http.ConnState{http.StateNew, http.StateClosed}, false},
	} {
		client, server := net.Pipe()
		defer client.Close()
		var unused conns
		for _, state := range c.states {
			unused.note(server, state)
		}
		unused.close()
		go server.Write([]byte("x"))
		if _, err := client.Read(make([]byte, 1)); errors.Is(err, io.EOF) != c.closed {
			t.Errorf("%s: the client reads %v", name, err)
		}
	}
}

// A server that shuts down closes it.
func TestCloseAtShutdown(t *testing.T) {
	s := &http.Server{}
	CloseAtShutdown(s)
	client, server := net.Pipe()
	defer client.Close()
	s.ConnState(server, http.StateNew)
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the client reads %v", err)
	}
}
