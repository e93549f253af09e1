package serverconns

import (
	"io"
	"log"
	"net/http"
	"time"
)

// IdleTime is how long a connection is kept over which a client says nothing.
const IdleTime = 2 * time.Minute

// New returns a server with timeouts for slow clients. bodyTime is how long a client may take to
// send a request; 0 means any time. The time for the answer is not limited. The listener it serves
// has to be one of [Listen].
func New(h http.Handler, bodyTime time.Duration) *http.Server {
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       bodyTime, // it ends with the body: no request that waits is cut off
		IdleTimeout:       IdleTime,
		ErrorLog:          log.New(io.Discard, "", 0), // clients that break off are part of the play
	}
	CloseAtShutdown(s)
	return s
}
