package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/engine/guard"
)

// guarded is a middleware that refuses requests of pages of other sites. They are not noted: a page
// cannot change a verdict. The health check is open: it says nothing.
func (p *Provider) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := strings.HasPrefix(r.URL.Path, "/loopproof")
		check := p.guard.Calls
		if control {
			check = p.guard.Controls
		}
		if err := check(r); err != nil && r.URL.Path != "/loopproof/healthz" {
			p.refuseForeign(w, r, control, err)
			return
		}
		if !control && p.guard.Share(w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuseForeign tells why a request is refused: in the form of the provider where it is for one.
func (p *Provider) refuseForeign(w http.ResponseWriter, r *http.Request, control bool, why error) {
	p.foreign.Once(fmt.Sprintf("refused a request to %s: %v", area(r.URL.Path), why), p.config.Refused)
	if !control {
		resp := failure(p.profileFor(r), http.StatusForbidden, "Loopproof: "+why.Error())
		p.send(w, r, &resp)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(http.StatusForbidden)
	json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": why.Error()}})
}

// area returns what a path is for, of which there are few.
func area(path string) string {
	switch {
	case strings.HasPrefix(path, "/loopproof"):
		return "the control paths"
	case strings.HasPrefix(path, "/run/"):
		return "a run"
	}
	return "the models"
}

// Access allows requests under other host names, and from pages of other origins.
type Access = guard.Access
