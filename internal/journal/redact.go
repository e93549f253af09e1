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

// harmless are headers that most requests have and that carry no keys, so that nothing has to be searched for in their names.
var harmless = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Anthropic-Version": true, "Connection": true,
	"Content-Length": true, "Content-Type": true, "Host": true, "User-Agent": true,
}

func isSecret(name string) bool {
	if harmless[name] {
		return false
	}
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
	instead := []string{Redacted}
	for name, values := range h {
		if isSecret(name) {
			values = instead
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
