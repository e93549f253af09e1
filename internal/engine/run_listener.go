package engine

import (
	"net"
	"net/http"

	"github.com/loopproof/loopproof/internal/engine/serverconns"
)

// runListener is a listener for the model of one run alone, so that its connections can be refused
// while all others go on.
type runListener struct {
	listener net.Listener
	http     *http.Server
	finished chan struct{}
}

// StartRun makes a run and returns it, as that of the [Provider] does. A run that lets connections
// be refused has a port of its own, which its task names.
func (s *Server) StartRun(c RunConfig) *Run {
	r := s.Provider.StartRun(c)
	turns := r.compiled.Turns
	if len(turns) > 0 && turns[len(turns)-1].Step.Refused {
		r.listener = s.listenForRun()
	}
	return r
}

func (s *Server) listenForRun() *runListener {
	l := &runListener{listener: s.config.listen(), http: serverconns.New(s.counted(s.Provider), s.config.Limits.BodyTime), finished: make(chan struct{})}
	go func() {
		defer close(l.finished)
		l.http.Serve(serverconns.Listen(l.listener)) // returns when it is shut
	}()
	return l
}

// shut refuses new connections. What is being answered is answered, and its connection closed after
// it.
func (l *runListener) shut() {
	l.http.SetKeepAlivesEnabled(false)
	l.listener.Close()
}

// close ends all connections.
func (l *runListener) close() {
	l.http.Close()
	<-l.finished
}

// modelURL returns the URL under which the model of a run is reached, given that of the server.
func (r *Run) modelURL(base string) string {
	if r.listener == nil {
		return base
	}
	return "http://" + r.listener.listener.Addr().String()
}
