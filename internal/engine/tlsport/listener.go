package tlsport

import (
	"bufio"
	"crypto/tls"
	"net"
	"sync"
)

// Listen returns a listener whose connections speak TLS where the client begins with it, and are
// plain where it does not.
func Listen(l net.Listener, config *tls.Config) net.Listener { return listener{l, config} }

type listener struct {
	net.Listener
	config *tls.Config
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newConn(c, bufio.NewReaderSize(c, 16), l.config), nil
}

// conn is a connection that is plain or TLS, which is known when its first byte is read. Deadlines
// are those of the connection below.
type conn struct {
	net.Conn
	first  *bufio.Reader // of the connection below
	config *tls.Config

	mu     sync.Mutex
	spoken net.Conn // what is spoken on the connection; nil: not known yet
}

func newConn(c net.Conn, first *bufio.Reader, config *tls.Config) *conn {
	return &conn{Conn: c, first: first, config: config}
}

// handshake is the first byte of a connection that speaks TLS.
const handshake = 0x16

func (c *conn) Read(b []byte) (int, error) {
	c.mu.Lock()
	spoken := c.spoken
	c.mu.Unlock()
	if spoken == nil { // only the server reads, one read after the other
		begin, err := c.first.Peek(1)
		if err != nil {
			return 0, err
		}
		spoken = &peeked{c.Conn, c.first}
		if begin[0] == handshake {
			spoken = tls.Server(spoken, c.config)
		}
		c.mu.Lock()
		c.spoken = spoken
		c.mu.Unlock()
	}
	return spoken.Read(b)
}

// now is what is spoken on the connection.
func (c *conn) now() net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spoken == nil {
		return c.Conn
	}
	return c.spoken
}

func (c *conn) Write(b []byte) (int, error) { return c.now().Write(b) }
func (c *conn) Close() error                { return c.now().Close() }

// CloseWrite shuts the sending side down, as net/http does before it closes a connection.
func (c *conn) CloseWrite() error {
	if half, ok := c.now().(interface{ CloseWrite() error }); ok {
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

// peeked is a connection of which a reader has the first bytes.
type peeked struct {
	net.Conn
	first *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.first.Read(b) }

// CloseWrite is that of the connection below.
func (p *peeked) CloseWrite() error {
	if half, ok := p.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
