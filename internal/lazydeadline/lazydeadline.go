// Package lazydeadline makes the deadlines of TCP connections cheap to move.
//
// net/http moves the deadlines of a connection six times for each request, and each time the runtime moves a timer under
// a lock, although nearly no deadline is ever reached. A connection of this package only notes a deadline. It moves the
// timer when the new deadline comes sooner than the one that the timer has; when the timer fires too early, it is moved
// then, and the read or write goes on.
//
//	http.Serve(lazydeadline.Listen(l), handler)
package lazydeadline

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// Listen returns a listener whose TCP connections have lazy deadlines. Other connections, such as those of TLS, are as
// they were.
func Listen(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return newConn(tcp), err
	}
	return c, err
}

// conn is a TCP connection. It has those methods of a [net.TCPConn] for which servers look, but not ReadFrom and WriteTo,
// which would not mind the deadlines.
type conn struct {
	net.Conn
	tcp         *net.TCPConn
	read, write deadline
}

func newConn(tcp *net.TCPConn) *conn {
	now := time.Now()
	return &conn{
		Conn:  tcp,
		tcp:   tcp,
		read:  deadline{made: now, move: tcp.SetReadDeadline},
		write: deadline{made: now, move: tcp.SetWriteDeadline},
	}
}

func (c *conn) Read(b []byte) (n int, err error) {
	for again := true; again; {
		if err := c.read.begin(); err != nil {
			return n, err
		}
		n, err = c.tcp.Read(b)
		again = c.read.end(err)
	}
	return n, err
}

func (c *conn) Write(b []byte) (written int, err error) {
	for again := true; again; {
		if err := c.write.begin(); err != nil {
			return written, err
		}
		var n int
		n, err = c.tcp.Write(b[written:])
		written += n
		again = c.write.end(err)
	}
	return written, err
}

func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

func (c *conn) SetReadDeadline(t time.Time) error  { return c.read.want(t) }
func (c *conn) SetWriteDeadline(t time.Time) error { return c.write.want(t) }

// CloseWrite shuts the sending side of the connection down, as net/http does before it closes one.
func (c *conn) CloseWrite() error { return c.tcp.CloseWrite() }

// SetLinger says what Close does with data that was not sent yet; see [net.TCPConn.SetLinger].
func (c *conn) SetLinger(seconds int) error { return c.tcp.SetLinger(seconds) }

// deadline is the deadline of the reads or of the writes of a connection.
type deadline struct {
	made time.Time             // of the connection: what comes before it, is over
	move func(time.Time) error // moves the timer

	mu     sync.Mutex
	wanted time.Time // zero: none
	timer  time.Time // what the timer has, which is over when it fired; zero: it is off
	waits  int       // reads or writes that go on
}

// want notes a deadline. Those that go on learn of it now if they would learn of it too late.
func (d *deadline) want(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.waits == 0 || !d.isSooner() {
		return nil
	}
	return d.follow()
}

// isSooner reports whether the deadline comes before the timer fires.
func (d *deadline) isSooner() bool {
	return !d.wanted.IsZero() && (d.timer.IsZero() || d.wanted.Before(d.timer))
}

// follow moves the timer to the deadline.
func (d *deadline) follow() error {
	d.timer = d.wanted
	return d.move(d.timer)
}

// begin is called before a read or write. It returns an error when the deadline is over for certain.
func (d *deadline) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case !d.wanted.IsZero() && d.wanted.Before(d.made):
		return os.ErrDeadlineExceeded
	case d.isSooner():
		if err := d.follow(); err != nil {
			return err
		}
	}
	d.waits++
	return nil
}

// end is called after a read or write, and reports whether it has to go on, since the timer fired before the deadline.
func (d *deadline) end(err error) (again bool) {
	fired := err != nil && errors.Is(err, os.ErrDeadlineExceeded)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waits--
	if !fired || !d.wanted.IsZero() && !d.wanted.After(time.Now()) {
		return false
	}
	return d.follow() == nil
}
