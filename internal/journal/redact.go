package journal

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/secret"
)

// Redacted is where a key was.
const Redacted = "(redacted)"

// harmless are headers that most requests have and that carry no keys, so that nothing has to be searched for in their names.
var harmless = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Anthropic-Version": true, "Connection": true,
	"Content-Length": true, "Content-Type": true, "Host": true, "User-Agent": true,
}

func isSecret(name string) bool {
	if harmless[name] {
		return false
	}
	return secret.IsName(name)
}

// redactedValue is the value of all headers that carry keys. Nobody may change it.
var redactedValue = []string{Redacted}

// Redact returns headers without the keys in them.
func Redact(h http.Header) http.Header {
	kept := make(http.Header, len(h))
	for name, values := range h {
		switch {
		case isSecret(name):
			values = redactedValue
		case !harmless[name]:
			values = redactEach(values)
		}
		kept[name] = values
	}
	return kept
}

// redactEach returns the values of a header without what looks like a key in them, and without the keys of URLs.
func redactEach(values []string) []string {
	clean := slices.Clone(values)
	for i, value := range clean {
		if before, query, is := strings.Cut(value, "?"); is {
			value = before + "?" + redactQuery(query)
		}
		clean[i] = secret.Redact(value, Redacted)
	}
	if slices.Equal(clean, values) {
		return values
	}
	return clean
}

// Redactor redacts the headers and targets of requests, of which most have the same ones as the request before: those share a
// copy, which nobody may change. The zero value is ready, and safe for use by many goroutines.
type Redactor struct {
	last   atomic.Pointer[http.Header]
	target atomic.Pointer[keylessTarget]
}

// keylessTarget is a target in which no key was found.
type keylessTarget struct{ path, query, whole string }

// Target returns the path and the query of a URL without the keys in it.
func (r *Redactor) Target(u *url.URL) string {
	if last := r.target.Load(); last != nil && last.path == u.Path && last.query == u.RawQuery {
		return last.whole
	}
	redacted := redactTarget(u)
	if redacted == target(u.Path, u.RawQuery) { // else a key would be kept
		r.target.Store(&keylessTarget{u.Path, u.RawQuery, redacted})
	}
	return redacted
}

// Redact returns headers without the keys in them.
func (r *Redactor) Redact(h http.Header) http.Header {
	if last := r.last.Load(); last != nil && isRedactionOf(*last, h) {
		return *last
	}
	fresh := Redact(h)
	r.last.Store(&fresh)
	return fresh
}

// isRedactionOf reports whether headers are what [Redact] returns for others.
func isRedactionOf(redacted, h http.Header) bool {
	if len(redacted) != len(h) {
		return false
	}
	for name, values := range h {
		kept, known := redacted[name]
		isSecret := len(kept) == 1 && &kept[0] == &redactedValue[0]
		if !known || !isSecret && !slices.Equal(kept, values) {
			return false
		}
	}
	return true
}

// redactTarget returns the path and the query of a URL without the keys in it.
func redactTarget(u *url.URL) string {
	path := secret.Redact(u.Path, Redacted) // which a client may have put there by mistake
	return target(path, secret.Redact(redactQuery(u.RawQuery), Redacted))
}

func target(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

func redactQuery(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, _, valued := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); valued && (err != nil || isSecret(plain)) {
			parts[i] = name + "=" + Redacted
		}
	}
	return strings.Join(parts, "&")
}
