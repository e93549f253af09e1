package wire

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// Endpoint is where clients of a dialect ask.
type Endpoint struct {
	Paths    Paths
	BasePath string   // what the base URL of official SDKs has after the host: /v1
	Env      string   // how the environment variables begin in which they look for URL, key and model: OPENAI
	URLEnv   string   // the variable with the URL, where it begins otherwise; ""
	KeyEnv   string   // the variable with the key, where it begins otherwise; ""
	MoreEnv  []string // what SDKs need besides, as NAME=VALUE

	// Operation is the gen_ai.operation.name of a request for a turn in the conventions of
	// OpenTelemetry; "" is chat.
	Operation string

	// Socket is how clients ask over a WebSocket at the same paths, or nil if they do not.
	Socket *Socket

	// Realtime is how they hold a conversation over a WebSocket at paths of their own, or nil.
	Realtime *Socket

	// Headers are the headers of a request that say something of it, and how rules call them.
	Headers map[string]string

	// Telling are the headers that only clients of the dialect send: they tell whose form is wanted
	// on a path that several dialects have.
	Telling []string

	// Keys are the headers in which providers of the dialect look for a key, and KeyInURL is where
	// they look for it in the query of a URL; "": nowhere.
	Keys     []string
	KeyInURL string
}

// keyOf says where an HTTP request has a key: in a header, by its name in lower case, or in its
// "url"; "": nowhere. A header with nothing behind the name of a scheme has none.
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

// Tells reports whether an HTTP request has what only clients of the dialect send.
func (e Endpoint) Tells(sent *http.Request) bool {
	for _, name := range e.Telling {
		if sent.Header.Get(name) != "" {
			return true
		}
	}
	return len(e.Telling) > 0 && e.KeyInURL != "" && sent.URL.Query().Get(e.KeyInURL) != ""
}

// schemes are those of the header Authorization by which keys are sent.
var schemes = []string{"Bearer", "Basic"}

// URLVariable is the environment variable in which official SDKs look for a base URL.
func (e Endpoint) URLVariable() string { return cmp.Or(e.URLEnv, e.Env+"_BASE_URL") }

// KeyVariable is the environment variable in which official SDKs look for a key.
func (e Endpoint) KeyVariable() string { return cmp.Or(e.KeyEnv, e.Env+"_API_KEY") }
