package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/wire"
)

// spoken returns the dialects of all profiles that are known here.
func (p *Provider) spoken() []*wire.Dialect { return controlView{p}.Profiles().Spoken() }

// maxEnd is how many segments an endpoint has at most, of which the longest are those of Vertex AI:
// /v1/projects/{project}/locations/{location}/publishers/google/models/{model}:generateContent.
const maxEnd = 10

// meant returns the path of ours that a client means whose base URL is another one than ours: the
// longest end of its path that is an endpoint, with or without /v1, whatever stands before it. Where
// it is an endpoint that is not played, it returns the dialect that has it.
func (p *Provider) meant(r *http.Request) (path string, unplayed *wire.Dialect) {
	prefix := ""
	if id := runInPath(r.URL.Path); id != "" {
		prefix = "/run/" + id
	}
	segments := strings.FieldsFunc(strings.TrimPrefix(r.URL.Path, prefix), func(r rune) bool { return r == '/' })
	if prefix == "" && len(segments) > 0 && segments[0] == "loopproof" || doubled(segments, "v1") {
		return "", nil
	}
	for i := max(0, len(segments)-maxEnd); i < len(segments); i++ {
		end := "/" + strings.Join(segments[i:], "/")
		for _, path := range []string{end, "/v1" + end} {
			var played, unplayed mux.RouteMatch
			other := withPath(r, path)
			switch {
			case p.endpoints.Match(other, &played) && played.MatchErr == nil:
				if prefix+path != r.URL.Path {
					return prefix + path, nil
				}
			case p.unplayed().Match(other, &unplayed):
				return "", p.speaks(unplayed.Route.GetName())
			}
		}
	}
	return "", nil
}

// doubled reports whether a segment comes twice in a row. /v1/v1 is a mistake that people make with
// base URLs, and that no provider takes.
func doubled(segments []string, segment string) bool {
	for i := range segments {
		if i > 0 && segments[i] == segment && segments[i-1] == segment {
			return true
		}
	}
	return false
}

// speaks returns the dialect of a name, of those that are known here.
func (p *Provider) speaks(name string) *wire.Dialect {
	for _, d := range p.spoken() {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// askedKey is under which the context of a request has the URL that the client asked, where it is
// served as one for another path.
type askedKey struct{}

// askedURL is the URL that the client asked.
func askedURL(r *http.Request) *url.URL {
	if asked, ok := r.Context().Value(askedKey{}).(*url.URL); ok {
		return asked
	}
	return r.URL
}

// withPath returns a request for another path, which remembers what was asked.
func withPath(r *http.Request, path string) *http.Request {
	other := r.WithContext(context.WithValue(r.Context(), askedKey{}, askedURL(r)))
	other.URL = new(url.URL)
	*other.URL = *r.URL
	other.URL.Path, other.URL.RawPath = path, ""
	return other
}

// shownPath is the path of a request as error messages repeat it: clients write keys into paths,
// too.
func shownPath(r *http.Request) string { return secret.Redact(askedURL(r).Path, journal.Redacted) }

// notFound answers a request for a path that is not known, unless it is one of ours in another
// form.
func (p *Provider) notFound(w http.ResponseWriter, r *http.Request) {
	if path, _ := p.meant(r); path != "" {
		p.route(w, withPath(r, path))
		return
	}
	p.serveUnknown(w, r)
}

// serveUnknown answers a request for a path that no dialect has: one of the other endpoints, or one
// that is not known.
func (p *Provider) serveUnknown(w http.ResponseWriter, r *http.Request) {
	if api, ok := p.otherEndpoint(r); ok {
		p.beside(api)(w, r)
		return
	}
	message := fmt.Sprintf("Unknown request URL: %s %s. %s", r.Method, shownPath(r), p.paths())
	switch r.Method {
	case http.MethodConnect:
		message = fmt.Sprintf("The client takes this server for a proxy, through which it asks for https://%s (HTTPS_PROXY?): name this server by the base URL of the client, and let no proxy stand between, or start it with --tls.", r.Host)
	case "PRI": // the first line of HTTP/2
		message = "The client speaks HTTP/2, and this server HTTP/1.1 only, since scenarios interrupt connections."
	}
	p.serveUnrouted(w, r, http.StatusNotFound, message)
}

// paths lists the paths of this server, and says how to add more.
func (p *Provider) paths() string {
	var turns, missing, beside []string
	for _, d := range p.spoken() {
		for _, path := range d.Endpoint.Paths.Embeddings {
			if strings.HasPrefix(path, "/v1/") && !slices.Contains(beside, path) {
				beside = append(beside, path)
			}
		}
		if played := p.profileOf(d); played != "" {
			turns = append(turns, fmt.Sprintf("%s (profile %s)", d.Endpoint.Path(), played))
			continue
		}
		missing = append(missing, fmt.Sprintf("%s (--profile %s)", d.Endpoint.Path(), d.Standard))
	}
	all := slices.Concat(turns, []string{"/v1/models"}, beside)
	text := fmt.Sprintf("The paths here are %s, whatever stands before them, the same under /run/{run}, and /loopproof/.", strings.Join(all, ", "))
	if len(missing) > 0 {
		text += fmt.Sprintf(" For %s, also play a profile of that dialect.", strings.Join(missing, ", "))
	}
	return text + " Moderations, images, speech, files, batches and some more have constant answers; loopproof serve --endpoints FILE adds others. A fallback (--fallback URL) answers all other paths."
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
