package operations

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// healthPath is where a probe looks. Neither it nor [MetricsPath] needs a token: they say nothing
// of what was asked, and those who collect metrics have none.
const healthPath = "/loopproof/healthz"

// Token is a middleware that lets only those to the paths of control who know a token: as a bearer,
// or as the password of a browser. The paths of the providers stay open, since they have keys of
// their own.
func Token(token string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if token == "" {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !isControl(r.URL.Path) || r.URL.Path == healthPath || r.URL.Path == MetricsPath || knows(r, token) {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("WWW-Authenticate", `Basic realm="loopproof"`)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			w.Write([]byte(`{"error":{"message":"this path needs the token of the server: send it as Authorization: Bearer TOKEN, or as the password that a browser asks for"}}` + "\n"))
		})
	}
}

func isControl(path string) bool {
	return path == "/loopproof" || strings.HasPrefix(path, "/loopproof/")
}

func knows(r *http.Request, token string) bool {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		_, given, ok = r.BasicAuth()
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(token)) // of one length, whatever was sent
	return ok && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
