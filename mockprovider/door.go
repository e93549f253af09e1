package mockprovider

import (
	"net"
	"net/http"
)

// door is a listener for the model of one run alone, so that its connections can be refused while all others go on.
type door struct {
	listener net.Listener
	http     *http.Server
	finished chan struct{}
}

// StartRun makes a run and returns it, as that of the [Provider] does. A run that lets connections be refused has a port
// of its own, which its task names.
func (s *Server) StartRun(c RunConfig) *Run {
	r := s.Provider.StartRun(c)
	turns := r.script.Turns
	if len(turns) > 0 && turns[len(turns)-1].Step.Refused {
		r.door = s.open()
	}
	return r
}

func (s *Server) open() *door {
	l := s.config.listen()
	d := &door{listener: l, http: newHTTPServer(s.counted(s.Provider)), finished: make(chan struct{})}
	go func() {
		defer close(d.finished)
		d.http.Serve(l) // returns when the door is shut
	}()
	return d
}

// shut lets nobody in any more. What is being answered is answered, and its connection closed behind it.
func (d *door) shut() {
	d.http.SetKeepAlivesEnabled(false)
	d.listener.Close()
}

// close ends all connections.
func (d *door) close() {
	d.http.Close()
	<-d.finished
}

// front returns the URL under which the model of a run is reached, given that of the server.
func (r *Run) front(base string) string {
	if r.door == nil {
		return base
	}
	return "http://" + r.door.listener.Addr().String()
}
