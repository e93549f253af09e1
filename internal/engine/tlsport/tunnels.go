package tlsport

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
)

// Tunnels answers CONNECT, by which clients ask a proxy for the https address of a provider: no
// connection to the provider is made, and the server answers in its name.
type Tunnels struct {
	config *tls.Config
	opened handedOver
}

// NewTunnels returns tunnels through which TLS is spoken as a config says.
func NewTunnels(config *tls.Config) *Tunnels {
	return &Tunnels{config: config, opened: handedOver{conns: make(chan net.Conn), closed: make(chan struct{})}}
}

// Listener returns the listener of a server that answers what comes through the tunnels.
func (t *Tunnels) Listener() net.Listener { return &t.opened }

// Handler returns a handler that opens tunnels, and leaves other requests to the next one.
func (t *Tunnels) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			next.ServeHTTP(w, r)
			return
		}
		c, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			http.Error(w, "this connection cannot become a tunnel", http.StatusNotImplemented)
			return
		}
		if _, err := io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
			c.Close()
			return
		}
		t.opened.hand(newConn(c, buffered.Reader, t.config))
	})
}

// handedOver is a listener of connections that were accepted elsewhere.
type handedOver struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// hand gives a connection to the server, or closes it where the server is closed.
func (h *handedOver) hand(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.closed:
		c.Close()
	}
}

func (h *handedOver) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

func (h *handedOver) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

// Addr is none: the connections have addresses of their own.
func (h *handedOver) Addr() net.Addr { return tunnelled{} }

type tunnelled struct{}

func (tunnelled) Network() string { return "tcp" }
func (tunnelled) String() string  { return "tunnel" }
