package mockprovider

import (
	"context"
	"net"
	"net/http"

	"github.com/loopproof/loopproof/internal/engine"
)

// Server is a [Provider] that listens on a port of the loopback address, like the servers of
// net/http/httptest.
type Server struct {
	*Provider
	URL string // http://127.0.0.1:port, without a slash at the end

	engine *engine.Server
}

// NewServer starts a server on a free port. The caller has to call Close.
func NewServer(c Config) *Server { return serving(engine.NewServer(c.engine())) }

// Serve starts a server for a provider on a listener, and takes ownership of the listener. The
// caller has to call Close. Requests pass through the middleware first; the first one is outermost.
func Serve(l net.Listener, p *Provider, middleware ...func(http.Handler) http.Handler) *Server {
	return serving(engine.Serve(l, p.engine, middleware...))
}

func serving(s *engine.Server) *Server {
	return &Server{Provider: &Provider{s.Provider}, URL: s.URL, engine: s}
}

// StartRun starts a run, whose BaseURL is that of the server. The caller should end it with
// [Provider.EndRun].
func (s *Server) StartRun(c RunConfig) (*Run, error) { return s.startRun(s.URL, c) }

// Close closes all connections, and returns when the server has stopped.
func (s *Server) Close() { s.engine.Close() }

// Shutdown waits until pending responses are complete or the context ends, and then closes the
// server.
func (s *Server) Shutdown(ctx context.Context) error { return s.engine.Shutdown(ctx) }
