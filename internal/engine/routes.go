package engine

import (
	"net/http"

	"github.com/gorilla/mux"
)

// newRouter returns the routes of the server: those of the control API, and those of the dialects,
// alone and below the path of a run.
func (p *Provider) newRouter() *mux.Router {
	r := mux.NewRouter().SkipClean(true) // a path with // is unknown, not redirected, which would lose the body
	p.endpoints = p.newEndpoints()
	r.NotFoundHandler = http.HandlerFunc(p.notFound)
	r.MethodNotAllowedHandler = http.HandlerFunc(p.wrongMethod)
	p.dialects(r, "")
	p.dialects(r, "/run/{run}")
	r.Path("/run/{run}/tools/{tool}").Methods(http.MethodPost).HandlerFunc(p.runTool)
	if p.config.ToolServer != nil {
		r.Path("/run/{run}/mcp").HandlerFunc(p.serveToolServer)
	}
	for _, prefix := range []string{"", "/run/{run}"} {
		r.Path(prefix+"/mcp/{server}").Methods(http.MethodGet, http.MethodPost, http.MethodDelete).HandlerFunc(p.beside(p.mcpAPI()))
	}
	p.control(r, "/loopproof")
	return r
}

// newEndpoints returns the routes of the dialects alone, by which the end of a path is found. Those
// that are not played have the name of their dialect.
func (p *Provider) newEndpoints() *mux.Router {
	r := mux.NewRouter().SkipClean(true)
	p.dialects(r, "")
	for _, d := range p.spoken() {
		for _, pattern := range d.Endpoint.Paths.Unplayed {
			r.Path(pattern).Name(d.Name).HandlerFunc(p.serveUnknown)
		}
	}
	return r
}

// dialects adds the paths of the dialects below a prefix. Subrouters would forget that a path
// exists where only the method is wrong.
func (p *Provider) dialects(r *mux.Router, prefix string) {
	for _, d := range p.spoken() {
		add := func(method string, serve http.HandlerFunc, patterns ...string) {
			for _, pattern := range patterns {
				r.Path(prefix + pattern).Methods(method).HandlerFunc(serve)
			}
		}
		paths := d.Endpoint.Paths
		add(http.MethodPost, p.beside(p.counts(d)), paths.Counts...)
		add(http.MethodPost, func(w http.ResponseWriter, r *http.Request) { p.serveTurn(w, r, d) }, paths.Turns...)
		if d.Endpoint.Socket != nil {
			add(http.MethodGet, func(w http.ResponseWriter, r *http.Request) { p.serveSocket(w, r, d) }, paths.Turns...)
		}
		if paths.Models != "" {
			p.models(r, prefix+paths.Models, "[^:]+", always(d)) // after a colon is a method
		}
		add(http.MethodPost, p.beside(p.embeddings(d)), paths.Embeddings...)
		for _, kept := range paths.Kept {
			add(kept.Method, p.beside(p.keptAPI(d, kept)), kept.Path)
		}
	}
	p.models(r, prefix+"/v1/models", ".+", p.spokenByClient)
}
