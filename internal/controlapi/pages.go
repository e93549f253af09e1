package controlapi

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/page"
)

// policy lets a page load nothing but what we serve.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// show answers with a page.
func show(w http.ResponseWriter, name string, data any) {
	var b bytes.Buffer
	if err := page.Write(&b, name, data); err != nil {
		refuse(w, http.StatusInternalServerError, "the page is broken: %v", err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	w.Write(b.Bytes())
}

// asset answers with a file that pages load.
func (c *api) asset(w http.ResponseWriter, r *http.Request) {
	types := map[string]string{"style.css": "text/css; charset=utf-8", "live.js": "text/javascript; charset=utf-8"}
	name := mux.Vars(r)["name"]
	data := page.Asset(name)
	if data == nil {
		refuse(w, http.StatusNotFound, "there is no file %q", name)
		return
	}
	w.Header().Set("Content-Type", types[name])
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(data)
}

// home sends a browser that forgot the slash to the page of all runs.
func (c *api) home(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, c.prefix+"/", http.StatusMovedPermanently)
}

// start sends a browser that knows only the address of the server to the page of all runs.
func (c *api) start(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, c.prefix+"/", http.StatusFound)
}

// browsed reports whether a request is one of a browser for a page.
func browsed(r *http.Request, _ *mux.RouteMatch) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// live fills in what all pages share. run is that whose changes matter, or "".
func (c *api) live(title, run string) page.Live {
	l := page.Live{Title: title, Prefix: c.prefix, Events: c.prefix + "/events", State: c.state(run), Version: c.provider.Version()}
	if run != "" {
		l.Events += "?run=" + run // of letters, digits, dots, _ and -
	}
	return l
}
