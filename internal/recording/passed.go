package recording

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// maxPath is the length of a path that is told. Any client can make long ones.
const maxPath = 200

// notRecorded tells, once for each path, of a request that is forwarded and not recorded.
func (r *Recorder) notRecorded(req *http.Request) {
	var paths []string
	for _, d := range r.spoken {
		paths = append(paths, d.Endpoint.Path())
	}
	r.passed.Once(req.Method+" "+textlayout.Shorten(req.URL.Path, maxPath), func(what string) {
		r.config.Noted(fmt.Sprintf("%s is let through and not recorded: only POST requests to %s and for embeddings, moderations and rankings are", what, strings.Join(paths, ", ")))
	})
}
