package engine

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/wire"
)

// endpoint returns what serves a path of a dialect for a provider.
type endpoint func(*Provider) http.HandlerFunc

// ServeHTTP makes it a handler, as a router has them. [Provider.route] finds it there, and serves by
// what it returns.
func (endpoint) ServeHTTP(http.ResponseWriter, *http.Request) {
	panic("engine: an endpoint that is served for no provider")
}

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
		found.Handler.(endpoint)(p)(w, mux.SetURLVars(r, found.Vars))
	default:
		p.ofRuns().ServeHTTP(w, r)
	}
}

// newOfRuns returns the routes of the tools and MCP servers of runs. All other paths are the control
// API's.
func (p *Provider) newOfRuns() *mux.Router {
	r := p.newRouter(func(w http.ResponseWriter, r *http.Request) { p.controls().ServeHTTP(w, r) })
	r.Path("/run/{run}/tools/{tool}").Methods(http.MethodPost).HandlerFunc(p.runTool)
	if p.config.ToolServer != nil {
		r.Path("/run/{run}/mcp").HandlerFunc(p.serveToolServer)
	}
	for _, prefix := range []string{"", "/run/{run}"} {
		r.Path(prefix+"/mcp/{server}").Methods(http.MethodGet, http.MethodPost, http.MethodDelete).HandlerFunc(p.beside(p.mcpAPI()))
	}
	return r
}

// newControls returns the routes of the control API.
func (p *Provider) newControls() *mux.Router {
	r := p.newRouter(p.notFound)
	p.control(r, "/loopproof")
	return r
}

// newRouter returns a router without routes, which hands on what it does not find.
func (p *Provider) newRouter(notFound http.HandlerFunc) *mux.Router {
	r := mux.NewRouter().SkipClean(true) // a path with // is unknown, not redirected, which would lose the body
	r.NotFoundHandler = notFound
	r.MethodNotAllowedHandler = http.HandlerFunc(p.wrongMethod)
	return r
}

// endpointsOf returns the routes of dialects. Those of all that are known here are made once for all
// providers: to make them takes longer than to play a short case.
func endpointsOf(dialects []*wire.Dialect) *mux.Router {
	if slices.Equal(dialects, dialect.Known()) {
		return endpointsOfKnown()
	}
	return newEndpoints(dialects)
}

var endpointsOfKnown = sync.OnceValue(func() *mux.Router { return newEndpoints(dialect.Known()) })

// newEndpoints makes the routes of dialects. Subrouters would forget that a path exists where only
// the method is wrong.
func newEndpoints(dialects []*wire.Dialect) *mux.Router {
	r := mux.NewRouter().SkipClean(true)
	for _, d := range dialects {
		addDialect(r, d)
	}
	models(r, "/v1/models", ".+", func(p *Provider) spokenOn { return p.spokenByClient })
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

// addDialect adds the paths of a dialect.
func addDialect(r *mux.Router, d *wire.Dialect) {
	add := func(method string, serve endpoint, patterns ...string) {
		for _, pattern := range patterns {
			r.Path(pattern).Methods(method).Handler(serve)
		}
	}
	paths := d.Endpoint.Paths
	add(http.MethodPost, beside(func(p *Provider) besideAPI { return p.counts(d) }), paths.Counts...)
	add(http.MethodPost, speaking(d, (*Provider).serveTurn), paths.Turns...)
	if d.Endpoint.Socket != nil {
		add(http.MethodGet, speaking(d, (*Provider).serveSocket), paths.Turns...)
	}
	if d.Endpoint.Realtime != nil {
		add(http.MethodGet, speaking(d, (*Provider).serveRealtime), paths.Realtime...)
	}
	if paths.Models != "" {
		models(r, paths.Models, "[^:]+", always(d)) // after a colon is a method
	}
	for _, at := range d.Models.Own {
		add(at.Method, beside(func(p *Provider) besideAPI { return p.ownModels(d, at) }), at.Path)
	}
	add(http.MethodPost, beside(func(p *Provider) besideAPI { return p.embeddings(d) }), paths.Embeddings...)
	for _, kept := range paths.Kept {
		add(kept.Method, beside(func(p *Provider) besideAPI { return p.keptAPI(d, kept) }), kept.Path)
	}
}

// beside is the endpoint of an API besides turns.
func beside(api func(*Provider) besideAPI) endpoint {
	return func(p *Provider) http.HandlerFunc { return p.beside(api(p)) }
}

// speaking is the endpoint of what a provider serves in a dialect.
func speaking(d *wire.Dialect, serve func(*Provider, http.ResponseWriter, *http.Request, *wire.Dialect)) endpoint {
	return func(p *Provider) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { serve(p, w, r, d) }
	}
}
