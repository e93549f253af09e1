package engine

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gorilla/mux"
)

// matched is the path of a request that fitted a route, with its variables, which nobody may change: most clients ask for
// the same path again.
type matched struct {
	path string
	vars map[string]string
}

// handle adds a path. It is compared as a text, as far as possible: a path whose variables have no pattern needs no regular
// expression, and that of another one is only compiled and asked where what is before its first variable and behind its last
// one fits.
func handle(r *mux.Router, path string, serve http.HandlerFunc) *mux.Route {
	if !strings.Contains(path, "{") {
		same := func(req *http.Request, _ *mux.RouteMatch) bool { return req.URL.Path == path }
		return r.NewRoute().MatcherFunc(same).HandlerFunc(serve)
	}
	fit := fitterOf(path)
	var last atomic.Pointer[matched]
	// One matcher does it all, since a router forgets a wrong method where any matcher fits.
	matches := func(req *http.Request, match *mux.RouteMatch) bool {
		m := last.Load()
		if m == nil || m.path != req.URL.Path {
			vars, fits := fit(req)
			if !fits {
				match.Vars = nil // of a route with another method: they may be shared
				return false
			}
			m = &matched{req.URL.Path, vars}
			last.Store(m)
		}
		match.Vars = m.vars
		return true
	}
	return r.NewRoute().MatcherFunc(matches).HandlerFunc(serve)
}

// fitter returns the variables of a path if that of a request fits.
type fitter func(*http.Request) (vars map[string]string, fits bool)

func fitterOf(path string) fitter {
	if form, plain := readForm(path); plain {
		return func(req *http.Request) (map[string]string, bool) { return form.fit(req.URL.Path) }
	}
	start, _, _ := strings.Cut(path, "{")
	end := path[strings.LastIndex(path, "}")+1:]
	route := sync.OnceValue(func() *mux.Route { return mux.NewRouter().Path(path) })
	return func(req *http.Request) (map[string]string, bool) {
		if !strings.HasPrefix(req.URL.Path, start) || !strings.HasSuffix(req.URL.Path, end) {
			return nil, false
		}
		var match mux.RouteMatch
		fits := route().Match(req, &match)
		return match.Vars, fits
	}
}

// pathForm is a path whose variables stand for anything but slashes.
type pathForm struct {
	start string
	vars  []pathVar
}

// pathVar is a variable, and the text behind it.
type pathVar struct{ name, then string }

// readForm reads a path, and reports whether it is one of which each variable has no pattern, and ends at a slash or is the last.
func readForm(path string) (form pathForm, plain bool) {
	parts := strings.Split(path, "{")
	form.start = parts[0]
	for i, part := range parts[1:] {
		name, then, _ := strings.Cut(part, "}")
		last := i+2 == len(parts)
		if strings.Contains(name, ":") || !last && !strings.HasPrefix(then, "/") {
			return form, false
		}
		form.vars = append(form.vars, pathVar{name, then})
	}
	return form, true
}

// fit returns the variables of a path of that form.
func (f pathForm) fit(path string) (vars map[string]string, fits bool) {
	rest, fits := strings.CutPrefix(path, f.start)
	if !fits {
		return nil, false
	}
	values := make([]string, len(f.vars))
	for i, v := range f.vars {
		end := strings.IndexByte(rest, '/')
		if i == len(f.vars)-1 {
			end = len(rest) - len(v.then)
		}
		if end <= 0 || !strings.HasPrefix(rest[end:], v.then) {
			return nil, false
		}
		values[i], rest = rest[:end], rest[end+len(v.then):]
		if strings.Contains(values[i], "/") {
			return nil, false
		}
	}
	vars = make(map[string]string, len(f.vars))
	for i, v := range f.vars {
		vars[v.name] = values[i]
	}
	return vars, true
}
