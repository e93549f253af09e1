package guard

import "net/http"

// Share lets a page read the answer to its request where its origin may call the models, and
// answers the question whether it may ask at all
// (https://fetch.spec.whatwg.org/#cors-preflight-fetch). It reports whether the request was such a
// question.
func (g *Guard) Share(w http.ResponseWriter, r *http.Request) (answered bool) {
	origins := r.Header["Origin"]
	if len(origins) != 1 || origins[0] == "" || !g.Shares(origins[0]) {
		return false
	}
	h := w.Header()
	h.Set(AllowOrigin, origins[0])
	h.Add("Vary", "Origin")
	h.Set(ExposeHeaders, "*")
	method := r.Header.Get("Access-Control-Request-Method")
	if r.Method != http.MethodOptions || method == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", method)
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") != "" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
	return true
}

// The headers that let a page read an answer. One that is forwarded must not have those of the
// provider as well.
const (
	AllowOrigin   = "Access-Control-Allow-Origin"
	ExposeHeaders = "Access-Control-Expose-Headers"
)
