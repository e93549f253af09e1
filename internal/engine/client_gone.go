package engine

import (
	"context"
	"errors"
	"net/http"
)

// patient is how long a request may be that is read and judged even if its client is gone: that
// takes milliseconds, and so no race decides what is noted of a client that cancels.
const patient = 256 << 10

// errLeft is why a request is not answered.
var errLeft = errors.New("the client left before its request was read and judged")

// attention returns the context of the work on a request before its answer. It ends when the client
// is gone, for whom nothing more is to be computed. In the run of a loop it does not: such a run is
// judged whole, and its client is no stranger.
func attention(s *settings, r *http.Request, body []byte) context.Context {
	if !s.told || len(body) <= patient {
		return context.WithoutCancel(r.Context())
	}
	return r.Context()
}

// unread returns the request of a client that left while it was judged. It is noted as one that
// could not be read.
func (in *received) unread(s *settings) *received {
	return &received{http: in.http, work: in.work, body: in.body, start: in.start, problem: newProblem(s.profile, statusOf(errLeft), errLeft)}
}
