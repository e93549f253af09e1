package engine

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/engine/serverconns"
)

// Server is a [Provider] that listens on a port of the loopback address, like the servers of
// net/http/httptest.
type Server struct {
	*Provider
	URL string // http://127.0.0.1:port, without a slash at the end

	http     *http.Server
	tunnel   *http.Server // of what comes through [Config.Tunnels]; nil: there are none
	finished chan struct{}
	serving  sync.RWMutex // held by every request that is being served
}

// NewServer starts a server on a free port. The caller has to call Close.
func NewServer(c Config) *Server { return Serve(c.listen(), New(c)) }

func (c Config) listen() net.Listener {
	open := c.Listen
	if open == nil {
		open = func() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
	}
	l, err := open()
	if err != nil {
		panic("mockprovider: cannot listen on a port: " + err.Error())
	}
	return l
}

// Serve starts a server for a provider on a listener, and takes ownership of the listener. The
// caller has to call Close. Requests that are not those of pages of other sites pass through the
// middleware; the first one is outermost.
func Serve(l net.Listener, p *Provider, middleware ...func(http.Handler) http.Handler) *Server {
	s := &Server{
		Provider: p,
		URL:      "http://" + l.Addr().String(),
		finished: make(chan struct{}),
	}
	p.guard.ListensOn(l.Addr())
	var h http.Handler = http.HandlerFunc(p.serve)
	for _, wrap := range slices.Backward(middleware) {
		h = wrap(h)
	}
	all := s.counted(p.guarded(h))
	if tunnels := p.config.Tunnels; tunnels != nil {
		all = tunnels.Handler(all)
		s.tunnel = serverconns.New(s.counted(h), p.config.Limits.BodyTime) // no page opens a tunnel, and its hosts are those of providers
		go s.tunnel.Serve(serverconns.Listen(tunnels.Listener()))
	}
	s.http = serverconns.New(all, p.config.Limits.BodyTime)
	go func() {
		defer close(s.finished)
		s.http.Serve(serverconns.Listen(l)) // returns when Close is called
	}()
	return s
}

// counted has Close wait for every request.
func (s *Server) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.serving.RLock()
		defer s.serving.RUnlock()
		defer tellBug(w, r)
		h.ServeHTTP(w, r)
	})
}

// tellBug answers a request at which the handler panics, and logs where: the server goes on, and
// nobody takes the lost answer for one of the script.
func tellBug(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { // a response that breaks off ends by it
		panic(v)
	}
	log.Printf("loopproof: the mock provider failed at %s %s, which is a bug of it; please report it: %v\n%s", r.Method, r.URL.Path, v, debug.Stack())
	http.Error(w, "the mock provider failed, which is a bug of it; its log says where", http.StatusInternalServerError)
}

// Close closes all connections, and returns when the server has stopped.
func (s *Server) Close() {
	s.cancel()
	s.http.Close()
	if s.tunnel != nil {
		s.tunnel.Close()
	}
	<-s.finished
	s.runs.Range(func(_, run any) bool {
		s.EndRun(run.(*Run))
		return true
	})
	s.testRuns.Range(func(_, run any) bool {
		s.EndTestRun(run.(*TestRun))
		return true
	})
	s.Provider.defaultRun.cancel()
	if s.others != nil {
		<-s.others.Done()
	}
	s.serving.Lock()
	//lint:ignore SA2001 to lock is to wait for the requests whose connections were just closed
	s.serving.Unlock()
}

// Shutdown waits until pending responses are complete or the context ends, and then closes the
// server.
func (s *Server) Shutdown(ctx context.Context) error {
	s.cancel() // wakes those who wait for something to happen
	err := s.http.Shutdown(ctx)
	if s.tunnel != nil {
		err = errors.Join(err, s.tunnel.Shutdown(ctx))
	}
	s.Close()
	return err
}
