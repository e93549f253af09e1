package journal

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Redacted is where a key was.
const Redacted = "(redacted)"

// secret are words in the names of headers and query values that carry keys.
var secret = []string{"auth", "key", "token", "secret", "cookie", "password", "credential", "signature"}

// secretNames are whole names of values that carry keys: of signed URLs, and of logins.
var secretNames = []string{"sig", "code"}

func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range secret {
		if strings.Contains(name, word) {
			return true
		}
	}
	return slices.Contains(secretNames, name)
}

// Redact returns headers without the keys in them.
func Redact(h http.Header) http.Header {
	kept := make(http.Header, len(h))
	for name, values := range h {
		if isSecret(name) {
			values = []string{Redacted}
		}
		kept[name] = values
	}
	return kept
}

// RedactTarget returns the path and the query of a URL without the keys in it.
func RedactTarget(u *url.URL) string {
	if u.RawQuery == "" {
		return u.Path
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		name, _, valued := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); valued && (err != nil || isSecret(plain)) {
			parts[i] = name + "=" + Redacted
		}
	}
	return u.Path + "?" + strings.Join(parts, "&")
}
