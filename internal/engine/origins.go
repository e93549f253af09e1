package engine

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Pages of other sites can send requests to a server on this machine: by its address, and by a host name that they let point
// to it (DNS rebinding). So the control paths answer only under IP addresses and local names, and reject changes from other
// origins. The paths of the models have no secrets; pages may read their answers if their origin is this machine or allowed.

// guarded reports whether a request may reach the control paths, and answers it where it may not. The health check is
// open: it says nothing.
func (p *Provider) guarded(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == "/loopproof/healthz" {
		return true
	}
	if !p.ownHost(r.Host) {
		refuseControl(w, fmt.Sprintf("the control paths do not answer under the host %q, since a page of another site could ask so; use an IP address or localhost, or allow the host (--allow-host)", r.Host))
		return false
	}
	if err := p.crossOrigin.Check(r); err != nil {
		refuseControl(w, fmt.Sprintf("the control paths take no requests from pages of another origin (%s)", r.Header.Get("Origin")))
		return false
	}
	return true
}

func refuseControl(w http.ResponseWriter, why string) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(http.StatusForbidden)
	fmt.Fprintf(w, "{\"error\":{\"message\":%q}}\n", why)
}

// localNames are the ends of names that are never resolved in public.
var localNames = []string{".localhost", ".local", ".internal", ".svc", ".svc.cluster.local", ".test"}

// testHost is the host of requests of net/http/httptest. It is not registered.
const testHost = "example.com"

// ownHost reports whether a Host is one that no page of another site can have: an address, a name without a dot, as
// containers have it, a name that is never resolved in public, or one that was allowed.
func (p *Provider) ownHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	return host == "" || host == testHost || !strings.Contains(host, ".") || net.ParseIP(host) != nil || named(p.config.Access.Hosts, host) ||
		slices.ContainsFunc(localNames, func(end string) bool { return strings.HasSuffix(host, end) })
}

// share lets a page read the answer to its request where its origin is this machine or was allowed, and answers the
// question whether it may ask at all. It reports whether the request was such a question.
func (p *Provider) share(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := header(r.Header, "Origin")
	if origin == "" || !p.allows(origin) {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", "*")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// named reports whether a host or an origin is among those that were allowed: their case does not matter.
func named(allowed []string, name string) bool {
	return slices.ContainsFunc(allowed, func(one string) bool { return strings.EqualFold(one, name) })
}

// allows reports whether pages of an origin may read answers of the models.
func (p *Provider) allows(origin string) bool {
	if named(p.config.Access.Origins, origin) || slices.Contains(p.config.Access.Origins, "*") {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || ip != nil && ip.IsLoopback()
}
