package controlapi

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

// openAPI describes the API of the control API and of the mock's own paths.
//
//go:embed openapi.yaml
var openAPI []byte

// asJSON is the description as JSON.
var asJSON = sync.OnceValues(func() ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(openAPI, &doc); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
})

// openAPI answers with the description of the API.
func (c *api) openAPI(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, ".yaml") {
		w.Header().Set("Content-Type", "application/yaml")
		w.Write(openAPI)
		return
	}
	data, err := asJSON()
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the description is broken: %v", err)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	w.Write(data)
}
