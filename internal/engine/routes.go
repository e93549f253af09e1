package engine

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/wire"
)

// route hands a request to the endpoint of a dialect that its path names, alone or below the path of
// a run, and otherwise to the server's own paths.
func (p *Provider) route(w http.ResponseWriter, r *http.Request) {
	below := r
	if id := runInPath(r.URL.Path); id != "" {
		below = withPath(r, strings.TrimPrefix(r.URL.Path, "/run/"+id))
	}
	var found mux.RouteMatch
	known := p.endpoints.Match(below, &found)
	switch {
	case errors.Is(found.MatchErr, mux.ErrMethodMismatch):
		p.wrongMethod(w, r)
	case known:
		found.Handler.ServeHTTP(w, mux.SetURLVars(r, found.Vars))
	default:
		p.router.ServeHTTP(w, r)
	}
}

// newRouter returns the routes of the server itself: those of the control API, and those of the
// tools and MCP servers of runs.
func (p *Provider) newRouter() *mux.Router {
	r := mux.NewRouter().SkipClean(true) // a path with // is unknown, not redirected, which would lose the body
	r.NotFoundHandler = http.HandlerFunc(p.notFound)
	r.MethodNotAllowedHandler = http.HandlerFunc(p.wrongMethod)
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

// newEndpoints returns the routes of the dialects. Subrouters would forget that a path exists where
// only the method is wrong.
func (p *Provider) newEndpoints() *mux.Router {
	r := mux.NewRouter().SkipClean(true)
	for _, d := range p.spoken() {
		p.dialect(r, d)
	}
	p.models(r, "/v1/models", ".+", p.spokenByClient)
	return r
}

// newUnplayed returns the routes of the paths of dialects that are not played, which have the name
// of their dialect.
func (p *Provider) newUnplayed() *mux.Router {
	r := mux.NewRouter().SkipClean(true)
	for _, d := range p.spoken() {
		for _, pattern := range d.Endpoint.Paths.Unplayed {
			r.Path(pattern).Name(d.Name)
		}
	}
	return r
}

// dialect adds the paths of a dialect.
func (p *Provider) dialect(r *mux.Router, d *wire.Dialect) {
	add := func(method string, serve http.HandlerFunc, patterns ...string) {
		for _, pattern := range patterns {
			r.Path(pattern).Methods(method).HandlerFunc(serve)
		}
	}
	paths := d.Endpoint.Paths
	add(http.MethodPost, p.beside(p.counts(d)), paths.Counts...)
	add(http.MethodPost, func(w http.ResponseWriter, r *http.Request) { p.serveTurn(w, r, d) }, paths.Turns...)
	if d.Endpoint.Socket != nil {
		add(http.MethodGet, func(w http.ResponseWriter, r *http.Request) { p.serveSocket(w, r, d) }, paths.Turns...)
	}
	if d.Endpoint.Realtime != nil {
		add(http.MethodGet, func(w http.ResponseWriter, r *http.Request) { p.serveRealtime(w, r, d) }, paths.Realtime...)
	}
	if paths.Models != "" {
		p.models(r, paths.Models, "[^:]+", always(d)) // after a colon is a method
	}
	for _, at := range d.Models.Own {
		add(at.Method, p.beside(p.ownModels(d, at)), at.Path)
	}
	add(http.MethodPost, p.beside(p.embeddings(d)), paths.Embeddings...)
	for _, kept := range paths.Kept {
		add(kept.Method, p.beside(p.keptAPI(d, kept)), kept.Path)
	}
}
