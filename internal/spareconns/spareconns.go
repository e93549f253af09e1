// Package spareconns closes connections on which nothing was ever asked when a server shuts down.
//
// Clients open connections ahead: browsers do, and so does net/http where all are busy. [http.Server.Shutdown] takes one that
// is new for one whose request is on its way, and waits for it for five seconds.
//
//	spareconns.CloseAtShutdown(server)
package spareconns

import (
	"net"
	"net/http"
	"sync"
)

// CloseAtShutdown has a server close its unused connections as soon as it shuts down. It is called before the server serves.
func CloseAtShutdown(s *http.Server) {
	var unused conns
	s.ConnState = unused.note
	s.RegisterOnShutdown(unused.close)
}

// conns are connections without a first byte.
type conns struct{ all sync.Map }

func (c *conns) note(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		c.all.Store(conn, nil)
	case http.StateIdle: // it was active before
	default:
		c.all.Delete(conn)
	}
}

func (c *conns) close() {
	c.all.Range(func(conn, _ any) bool {
		conn.(net.Conn).Close()
		return true
	})
}
