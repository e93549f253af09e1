package serverconns

import (
	"net"
	"sync"
	"time"
)

// Listen returns a listener whose connections have [IdleTime] for their first byte. The time that a
// server gives for the head, and for the whole of the first request, begins with it.
func Listen(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return c, err
	}
	return &conn{Conn: c, accepted: time.Now()}, nil
}

// conn is a connection. It has those optional methods for which servers look.
type conn struct {
	net.Conn

	mu       sync.Mutex
	state    state
	accepted time.Time
	idle     time.Duration // for how long it was, before the first byte
	after    time.Duration // how much time there is after the first byte; 0: any
}

// state is how far the first request has come.
type state int

const (
	waiting state = iota // for the first byte
	reading              // the head
	read                 // the head was read
)

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != waiting {
		return n, err
	}
	c.state, c.idle = reading, time.Since(c.accepted)
	if c.after > 0 && err == nil {
		err = c.Conn.SetReadDeadline(time.Now().Add(c.after))
	}
	return n, err
}

func (c *conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.state {
	case waiting:
		if c.after = max(0, time.Until(t)); c.after > 0 {
			t = t.Add(max(0, IdleTime-c.after))
		}
	case reading: // the deadline of the whole request, which is counted from the same time
		c.state = read
		if !t.IsZero() {
			t = t.Add(c.idle)
		}
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// CloseWrite shuts the sending side of the connection down, as net/http does before it closes one.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// SetLinger says what Close does with data that was not sent yet; see [net.TCPConn.SetLinger].
func (c *conn) SetLinger(seconds int) error {
	if lingers, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		return lingers.SetLinger(seconds)
	}
	return nil
}
