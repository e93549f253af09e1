package recording

import (
	"net/http"
	"strings"
)

// kept returns the headers of a response that a client may look at. All others, which may say who
// asked, are left out.
func kept(h http.Header) http.Header {
	some := http.Header{}
	for name, values := range h {
		lower := strings.ToLower(name)
		switch {
		case lower == "content-type", strings.HasPrefix(lower, "retry-after"), strings.Contains(lower, "ratelimit"), lower == "x-should-retry", lower == "location":
			some[name] = values[:1]
		}
	}
	return some
}
