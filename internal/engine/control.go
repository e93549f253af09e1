package engine

import (
	"encoding/json"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/controlapi"
)

// control adds the paths by which the server itself is asked.
func (p *Provider) control(r *mux.Router, prefix string) {
	r.HandleFunc(prefix+"/healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]string{"status": "ok"})
	}).Methods(http.MethodGet)
	controlapi.Mount(r, prefix, controlView{p})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", jsonType)
	json.NewEncoder(w).Encode(v)
}
