package serverconns

import (
	"net"
	"net/http"
	"sync"
)

// CloseAtShutdown has a server close its unused connections as soon as it shuts down. It is called
// before the server serves.
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
