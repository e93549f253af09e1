package wire

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Endpoint is where clients of a dialect ask.
type Endpoint struct {
	Path      string   // of a request for a turn: /v1/chat/completions
	Also      []string // other paths of the same, as patterns of gorilla/mux
	CountPath string   // of a request for the number of tokens that a request has; ""
	BasePath  string   // what the base URL of official SDKs has after the host: /v1
	Env       string   // how the environment variables begin in which they look for URL, key and model: OPENAI
	URLEnv    string   // the variable with the URL, where it begins otherwise; ""

	// Operation is the gen_ai.operation.name of a request for a turn in the conventions of OpenTelemetry; "" is chat.
	Operation string

	// Socket is how clients ask over a WebSocket at the same paths; nil: they do not.
	Socket *Socket

	// Headers are the headers of a request that say something of it, and how rules call them.
	Headers map[string]string

	// Keys are the headers in which providers of the dialect look for a key, and KeyInURL is where they look for it in the
	// query of a URL; "": nowhere.
	Keys     []string
	KeyInURL string
}

// keyOf says where an HTTP request has a key: in a header, by its name in lower case, or in its "url"; "": nowhere. A header
// with nothing behind the name of a scheme has none.
func (e Endpoint) keyOf(sent *http.Request) string {
	for _, name := range e.Keys {
		key := strings.TrimSpace(sent.Header.Get(name))
		if key != "" && !slices.ContainsFunc(schemes, func(scheme string) bool { return strings.EqualFold(key, scheme) }) {
			return strings.ToLower(name)
		}
	}
	if e.KeyInURL != "" && sent.URL.Query().Get(e.KeyInURL) != "" {
		return "url"
	}
	return ""
}

// schemes are those of the header Authorization by which keys are sent.
var schemes = []string{"Bearer", "Basic"}

// OtherPaths are the paths of the same provider, as patterns of gorilla/mux, that clients of a dialect use for other things
// than a turn.
type OtherPaths struct {
	Embeddings, Moderations []string
}

// Has reports whether a path of a provider, which may have another base path than ours, is one of a request for a turn.
func (e Endpoint) Has(path string) bool {
	path = strings.TrimSuffix(path, "/")
	for _, own := range append([]string{strings.TrimPrefix(e.Path, e.BasePath)}, e.Also...) {
		if strings.HasSuffix(path, own) || strings.Contains(own, "{") && pathPattern(own).MatchString(path) {
			return true
		}
	}
	return false
}

// variable is a variable in a pattern of gorilla/mux, perhaps with an expression of its own.
var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\w+(?::((?:[^{}]|\{[^{}]*\})*))?\}`) })

// pathPattern returns the expression for the paths that end as a pattern says.
func pathPattern(pattern string) *regexp.Regexp {
	return regexp.MustCompile(variable().ReplaceAllStringFunc(pattern, func(v string) string {
		if own := variable().FindStringSubmatch(v)[1]; own != "" {
			return "(?:" + own + ")"
		}
		return "[^/]+"
	}) + "$")
}

// URLVariable is the environment variable in which official SDKs look for a base URL.
func (e Endpoint) URLVariable() string { return cmp.Or(e.URLEnv, e.Env+"_BASE_URL") }

// KeyVariable is the environment variable in which official SDKs look for a key.
func (e Endpoint) KeyVariable() string { return e.Env + "_API_KEY" }
