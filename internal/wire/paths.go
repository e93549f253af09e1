package wire

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gorilla/mux"
)

// Paths is the table of the paths of a dialect's API, as patterns of gorilla/mux. The first pattern
// that fits a path is taken, in the order of the fields.
type Paths struct {
	Counts     []string // requests for the number of tokens that a request for a turn has
	Turns      []string // requests for a turn of the model; the first is the one that messages and pages name
	Models     string   // the list of models, and below it each of them; "": on the path that dialects share
	Embeddings []string // requests for embeddings, in the form that [Dialect.Embeddings] says
	Realtime   []string // of a WebSocket by which a conversation is held
	Kept       []KeptPath
	Unplayed   []string // what the API has besides: an error in its form, even if it ends as one of the others does
}

// Path returns the usual path of a request for a turn: /v1/chat/completions
func (e Endpoint) Path() string { return e.Paths.Turns[0] }

// Has reports whether a path of a provider, which may have another base path than ours, is one of a
// request for a turn.
func (e Endpoint) Has(path string) bool {
	asked := &http.Request{URL: &url.URL{Path: strings.TrimSuffix(path, "/")}}
	_, counts := e.endsAsOne(asked, e.Paths.Counts)
	_, turns := e.endsAsOne(asked, e.Paths.Turns)
	return turns && !counts
}

// Embeds reports whether a path of a provider is one of a request for embeddings, and returns what
// it says, such as the model.
func (e Endpoint) Embeds(path string) (vars map[string]string, is bool) {
	return e.endsAsOne(&http.Request{URL: &url.URL{Path: strings.TrimSuffix(path, "/")}}, e.Paths.Embeddings)
}

// endsAsOne reports whether a request is for a path that ends as one of some patterns, and returns
// what is in their places.
func (e Endpoint) endsAsOne(asked *http.Request, patterns []string) (vars map[string]string, ends bool) {
	router := mux.NewRouter().SkipClean(true)
	for _, pattern := range patterns {
		pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, e.BasePath), "/")
		end := pattern[strings.LastIndex(pattern, "}")+1:]
		if !strings.HasSuffix(asked.URL.Path, end) {
			continue // a regular expression is made of each of the others, which takes longest
		}
		router.Path("/{base:(?s:.*/)?}" + pattern)
	}
	var match mux.RouteMatch
	ends = router.Match(asked, &match)
	return match.Vars, ends
}
