package recording

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// passed are the requests that were forwarded and not recorded, by their method and path.
type passed struct {
	mu    sync.Mutex
	known map[string]bool
}

// maxPassed is the maximum number of paths that are reported as not recorded.
const maxPassed = 100

// notRecorded tells, once for each path, of a request that is forwarded and not recorded.
func (r *Recorder) notRecorded(req *http.Request) {
	what := req.Method + " " + req.URL.Path
	r.passed.mu.Lock()
	defer r.passed.mu.Unlock()
	if r.passed.known[what] || len(r.passed.known) == maxPassed {
		return
	}
	if r.passed.known == nil {
		r.passed.known = map[string]bool{}
	}
	r.passed.known[what] = true
	var paths []string
	for _, d := range r.spoken {
		paths = append(paths, d.Endpoint.Path())
	}
	r.config.Noted(fmt.Sprintf("%s is let through and not recorded: only POST requests to %s are", what, strings.Join(paths, ", ")))
}
