// Package guard refuses requests that a web page of another site makes a browser send to a server
// on a machine or in a network that the site cannot reach itself.
//
//	g := guard.New(guard.Access{Origins: []string{"https://app.example.com"}})
//	g.ListensOn(listener.Addr())
//	if err := g.Calls(request); err != nil { ... 403 with the error ... }
//
// A page reaches such a server in two ways. It names the address: then the browser tells its origin
// in the headers Origin and Sec-Fetch-Site (https://fetch.spec.whatwg.org/#origin-header,
// https://www.w3.org/TR/fetch-metadata/), which no page can change. Or it lets the name of its own
// site point to the server (DNS rebinding): then the origin is right, and the host is a name that
// the server does not have. Clients that are not browsers send no origin.
package guard

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Access allows hosts and origins besides those that are known.
type Access struct {
	Hosts   []string // names of the server; *.example.com means each name below, "*" any
	Origins []string // origins of pages that may call the models, such as https://app.example.com; "*" means any
}

// Guard says which requests are refused. Make one with [New].
type Guard struct {
	access   Access
	loopback bool   // only this machine reaches the server
	name     string // of this machine, where it may be public; ""
}

// New returns a guard of a server of which nothing is known but what is allowed.
func New(a Access) *Guard { return &Guard{access: a} }

// ListensOn tells the address on which the server listens.
func (g *Guard) ListensOn(a net.Addr) {
	host, _, err := net.SplitHostPort(a.String())
	ip := net.ParseIP(host)
	g.loopback = err == nil && ip != nil && ip.IsLoopback()
	if !g.loopback {
		g.name, _ = os.Hostname()
	}
}

// Calls returns why a request to the paths of the models, to tools or to an upstream is refused, or
// nil. Pages of this machine and of the origins that are allowed may send them.
func (g *Guard) Calls(r *http.Request) error {
	if err := g.host(r, fromProgram(r) || g.fromFriend(r)); err != nil && !asProxy(r) {
		return err
	}
	return g.origin(r, g.Shares, "; allow it with --allow-origin %s (in Go: Access.Origins)")
}

// Controls returns why a request to the paths under /loopproof/ is refused, or nil. Only their own
// pages may change something. Any page may lead to them: no page can read what they answer to
// another origin.
func (g *Guard) Controls(r *http.Request) error {
	if err := g.host(r, false); err != nil {
		return err
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions {
		return nil
	}
	return g.origin(r, func(string) bool { return false }, ": only the pages of this server change something")
}

// asProxy reports whether a client takes the server for a proxy: the user has set it so, and no
// page can.
func asProxy(r *http.Request) bool { return r.URL.Host != "" }

// fromProgram reports whether a request is not from a page: a browser tells the origin of whatever
// is no GET and no HEAD.
func fromProgram(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && len(r.Header["Origin"]) == 0 && len(r.Header["Sec-Fetch-Site"]) == 0
}

// fromFriend reports whether a request is from a page of this machine or of an origin that is
// allowed by name: a page that lets its own name point here has that name in its origin.
func (g *Guard) fromFriend(r *http.Request) bool {
	origins := r.Header["Origin"]
	return len(origins) > 0 && !slices.ContainsFunc(origins, func(origin string) bool { return !g.trusts(origin) })
}

// host checks the name under which a request asks. A server that is open to a network may have
// names that it does not know, so programs and pages that are allowed may use any there.
func (g *Guard) host(r *http.Request, friend bool) error {
	if g.knows(r.Host) || friend && !g.loopback {
		return nil
	}
	name := shown(hostname(r.Host))
	return fmt.Errorf("the host %q is not known, and may be the name of a web page's site that points here: use an IP address or localhost, or allow it with --allow-host %s (in Go: Access.Hosts)", name, name)
}

// origin checks the page from which a request is. The hint says how it is allowed.
func (g *Guard) origin(r *http.Request, allows func(string) bool, hint string) error {
	site, origins := r.Header.Get("Sec-Fetch-Site"), r.Header["Origin"]
	if site == "same-origin" || site == "none" {
		return nil
	}
	if len(origins) == 0 {
		if site == "" || allows("*") {
			return nil
		}
		return fmt.Errorf("a web page of another origin may not send this request (Sec-Fetch-Site: %s); it does not name its origin, as for an image or a link", shown(site))
	}
	for _, origin := range origins {
		if u, err := url.Parse(origin); err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host) && site == "" || allows(origin) {
			continue
		}
		return fmt.Errorf("web pages of the origin %s may not send this request%s", shown(origin), strings.ReplaceAll(hint, "%s", shown(origin)))
	}
	return nil
}

// Shares reports whether pages of an origin may call the models, and read what they answer.
func (g *Guard) Shares(origin string) bool {
	return g.trusts(origin) || slices.Contains(g.access.Origins, "*")
}

// trusts is [Guard.Shares] for those that are allowed by name, and for this machine.
func (g *Guard) trusts(origin string) bool {
	if named(g.access.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || ip != nil && ip.IsLoopback()
}

// localNames are the ends of names that are never resolved in public.
var localNames = []string{".localhost", ".local", ".internal", ".svc", ".svc.cluster.local", ".test"}

// testHost is the host of requests of net/http/httptest. It is not registered.
const testHost = "example.com"

// knows reports whether a host is one that no page of another site can have: an address, a name
// without a dot, as containers have it, a name that is never resolved in public, that of this
// machine, or one that was allowed.
func (g *Guard) knows(host string) bool {
	host = hostname(host)
	return host == "" || host == testHost || !strings.Contains(host, ".") || net.ParseIP(host) != nil ||
		g.name != "" && strings.EqualFold(host, g.name) || slices.ContainsFunc(g.access.Hosts, func(allowed string) bool { return covers(allowed, host) }) ||
		slices.ContainsFunc(localNames, func(end string) bool { return strings.HasSuffix(host, end) })
}

// hostname returns the name in a Host, in small letters.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// covers reports whether an allowed name, which may begin with *., is that of a host.
func covers(allowed, host string) bool {
	below, wild := strings.CutPrefix(strings.ToLower(allowed), "*")
	if wild {
		return below == "" || strings.HasPrefix(below, ".") && strings.HasSuffix(host, below)
	}
	return strings.EqualFold(allowed, host)
}

// named reports whether an origin is among those that were allowed: their case does not matter.
func named(allowed []string, name string) bool {
	return slices.ContainsFunc(allowed, func(one string) bool { return strings.EqualFold(one, name) })
}

// maxShown is how much of a header is repeated in an error.
const maxShown = 100

func shown(value string) string {
	if len(value) > maxShown {
		return value[:maxShown] + "..."
	}
	return value
}
