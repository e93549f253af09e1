package journal

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/secret"
)

// Redacted is where a key was.
const Redacted = "(redacted)"

// harmless are headers that most requests have and that carry no keys, so that nothing has to be
// searched for in their names.
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

// Redact returns headers without the keys in them.
func Redact(h http.Header) http.Header {
	kept := make(http.Header, len(h))
	for name, values := range h {
		switch {
		case isSecret(name):
			values = []string{Redacted}
		case !harmless[name]:
			values = redactEach(values)
		}
		kept[name] = values
	}
	return kept
}

// redactEach returns the values of a header without what looks like a key in them, and without the
// keys of URLs.
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

// RedactTarget returns the path and the query of a URL without the keys in it.
func RedactTarget(u *url.URL) string {
	path := secret.Redact(u.Path, Redacted) // a client may have put a key there by mistake
	if u.RawQuery == "" {
		return path
	}
	return path + "?" + secret.Redact(redactQuery(u.RawQuery), Redacted)
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
