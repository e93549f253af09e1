package engine

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/wire"
)

// spoken returns the dialects of all profiles that are known here.
func (p *Provider) spoken() []*wire.Dialect { return controlView{p}.Profiles().Spoken() }

// canonical returns the path that a client means which has another base path than ours: without
// /v1, below /api, with a slash too many.
func (p *Provider) canonical(path string) string {
	prefix := ""
	if id := runInPath(path); id != "" {
		prefix = "/run/" + id
	}
	rest := "/" + strings.Join(strings.FieldsFunc(strings.TrimPrefix(path, prefix), func(r rune) bool { return r == '/' }), "/")
	if below, ok := strings.CutPrefix(rest, "/api/"); ok {
		rest = "/" + below
	}
	full := "/v1" + rest
	known := slices.ContainsFunc(p.spoken(), func(d *wire.Dialect) bool {
		paths := d.Endpoint.Paths
		return slices.Contains(slices.Concat(paths.Turns, paths.Counts, paths.Embeddings, paths.Moderations), full)
	})
	if known || rest == "/models" || strings.HasPrefix(rest, "/models/") {
		rest = full
	}
	return prefix + rest
}

// withPath returns a request for another path.
func withPath(r *http.Request, path string) *http.Request {
	other := new(http.Request)
	*other = *r
	other.URL = new(url.URL)
	*other.URL = *r.URL
	other.URL.Path, other.URL.RawPath = path, ""
	return other
}

// shownPath is the path of a request as error messages repeat it: clients write keys into paths,
// too.
func shownPath(r *http.Request) string { return secret.Redact(r.URL.Path, journal.Redacted) }

// notFound answers a request for a path that is not known, unless it is one of ours in another
// form.
func (p *Provider) notFound(w http.ResponseWriter, r *http.Request) {
	if path := p.canonical(r.URL.Path); path != r.URL.Path && !strings.HasPrefix(path, "/loopproof") {
		p.router.ServeHTTP(w, withPath(r, path))
		return
	}
	message := fmt.Sprintf("Unknown request URL: %s %s. %s", r.Method, shownPath(r), p.paths())
	switch r.Method {
	case http.MethodConnect:
		message = fmt.Sprintf("The client takes this server for a proxy, through which it asks for https://%s (HTTPS_PROXY?): name this server by the base URL of the client, and let no proxy stand between.", r.Host)
	case "PRI": // the first line of HTTP/2
		message = "The client speaks HTTP/2, and this server HTTP/1.1 only, since scenarios interrupt connections."
	}
	p.serveUnrouted(w, r, http.StatusNotFound, message)
}

// paths lists the paths of this server, and says how to add more.
func (p *Provider) paths() string {
	var turns, missing, beside []string
	for _, d := range p.spoken() {
		for _, path := range slices.Concat(d.Endpoint.Paths.Embeddings, d.Endpoint.Paths.Moderations) {
			if strings.HasPrefix(path, "/v1/") && !slices.Contains(beside, path) {
				beside = append(beside, path)
			}
		}
		if played := p.profileOf(d); played != "" {
			turns = append(turns, fmt.Sprintf("%s (profile %s)", d.Endpoint.Path(), played))
			continue
		}
		missing = append(missing, d.Endpoint.Path())
	}
	all := slices.Concat(turns, []string{"/v1/models"}, beside)
	text := fmt.Sprintf("The paths here are %s, the same under /run/{run}, and /loopproof/.", strings.Join(all, ", "))
	if len(missing) > 0 {
		text += fmt.Sprintf(" For %s, also play a profile of that dialect (--profile).", strings.Join(missing, ", "))
	}
	return text + " A fallback (--fallback URL) answers all other paths."
}

// played returns all profiles that are played outside of runs.
func (c Config) played() []*profiles.Profile {
	return append([]*profiles.Profile{c.Profile}, c.ExtraProfiles...)
}

// profileOf returns the name of the profile that is played outside of runs in a dialect, or "".
func (p *Provider) profileOf(d *wire.Dialect) string {
	for _, other := range p.config.played() {
		if other.Speaks == d {
			return other.Name
		}
	}
	return ""
}
