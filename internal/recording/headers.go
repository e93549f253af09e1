package recording

import (
	"net/http"
	"strings"
)

// keyHeaders are where clients put their keys.
var keyHeaders = []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Proxy-Authorization", "Cookie"}

// keyParameters are those of a query that are keys.
var keyParameters = []string{"key", "api-key", "api_key", "access_token", "token"}

// shortest is the least length of a secret: a shorter one is found in any text.
const shortest = 8

// secretsOf returns the keys of a request, so that they can be taken out of whatever repeats them.
func secretsOf(req *http.Request) []string {
	var all []string
	add := func(value string) {
		if value = strings.TrimSpace(value); len(value) >= shortest {
			all = append(all, value)
		}
	}
	for _, name := range keyHeaders {
		for _, value := range req.Header.Values(name) {
			add(value)
			if _, key, ok := strings.Cut(value, " "); ok { // Bearer, Basic
				add(key)
			}
		}
	}
	query := req.URL.Query()
	for _, name := range keyParameters {
		for _, value := range query[name] {
			add(value)
		}
	}
	return all
}

// kept returns the headers of a response that a client may look at. All others, which may say who asked, are left out.
func kept(h http.Header) http.Header {
	some := http.Header{}
	for name, values := range h {
		lower := strings.ToLower(name)
		switch {
		case lower == "content-type", strings.HasPrefix(lower, "retry-after"), strings.Contains(lower, "ratelimit"), lower == "x-should-retry", lower == "location":
			some[name] = values[:1]
		}
	}
	return some
}
