package guard_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine/guard"
)

// request returns a request under a host, with headers as NAME, VALUE.
func request(method, host string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "/v1/chat/completions", nil)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

var (
	onLoopback = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	onAll      = &net.TCPAddr{IP: net.IPv4zero, Port: 8080}
)

func TestHosts(t *testing.T) {
	for _, c := range []struct {
		host                    string
		loopback, open, openGet bool // whether a program may ask: a server on loopback, one that is open to a network
	}{
		{"127.0.0.1:8080", true, true, true},
		{"localhost:8080", true, true, true},
		{"[::1]:8080", true, true, true},
		{"[fe80::1%25eth0]:8080", true, true, true},
		{"192.168.1.7:8080", true, true, true}, // a page of an address is of the server at that address
		{"", true, true, true},
		{"mock:8080", true, true, true},                      // a service of compose
		{"host.docker.internal:8080", true, true, true},      // Docker leads it to the loopback address
		{"host.containers.internal:8080", true, true, true},  // Podman
		{"loopproof.ci.svc:8080", true, true, true},          // a service of Kubernetes
		{"loopproof.ci.svc.cluster.local", true, true, true}, // the same
		{"laptop.local:8080", true, true, true},
		{"mock.test", true, true, true},
		{"mock.corp.example:8080", true, true, true}, // allowed
		{"a.b.wild.example", true, true, true},       // allowed
		{"wild.example", false, true, false},
		{"loopproof.ci:8080", false, true, false}, // Kubernetes has this short form, and Côte d'Ivoire the domain
		{"mock.team.example.org", false, true, false},
		{"evil.com:8080", false, true, false},
		{"127.0.0.1.nip.io", false, true, false},
		{"localhost.evil.com", false, true, false},
		{"evil.com.:8080", false, true, false},
	} {
		access := guard.Access{Hosts: []string{"Mock.corp.example", "*.wild.example"}}
		narrow, open := guard.New(access), guard.New(access)
		narrow.ListensOn(onLoopback)
		open.ListensOn(onAll)
		for what, got := range map[string][2]bool{
			"POST on loopback": {narrow.Calls(request("POST", c.host)) == nil, c.loopback},
			"POST elsewhere":   {open.Calls(request("POST", c.host)) == nil, c.open},
			"GET on loopback":  {narrow.Calls(request("GET", c.host)) == nil, c.loopback},
			"GET elsewhere":    {open.Calls(request("GET", c.host)) == nil, c.openGet},
			"control":          {open.Controls(request("POST", c.host)) == nil, c.openGet},
		} {
			if got[0] != got[1] {
				t.Errorf("%s under the host %q: allowed is %v, want %v", what, c.host, got[0], got[1])
			}
		}
	}
	all := guard.New(guard.Access{Hosts: []string{"*"}})
	all.ListensOn(onLoopback)
	if err := all.Calls(request("GET", "mock.team.example.org")); err != nil {
		t.Error(err)
	}
}

// A page that lets its name point to a server has that name as its origin, wherever the server
// listens.
func TestReboundNames(t *testing.T) {
	for _, at := range []net.Addr{onLoopback, onAll} {
		for _, origins := range [][]string{nil, {"*"}} {
			g := guard.New(guard.Access{Origins: origins})
			g.ListensOn(at)
			for _, r := range []*http.Request{
				request("POST", "evil.com:8080", "Origin", "http://evil.com:8080"),
				request("POST", "evil.com:8080", "Origin", "null"),
				request("POST", "evil.com:8080", "Origin", "http://evil.com:8080", "Sec-Fetch-Site", "same-origin"),
				request("GET", "evil.com:8080", "Sec-Fetch-Site", "same-origin"),
				request("GET", "evil.com:8080"),
				request("HEAD", "evil.com:8080"),
				request("GET", "evil.com:8080", "Origin", "http://evil.com:8080", "Upgrade", "websocket"),
			} {
				err := g.Calls(r)
				if err == nil || !strings.Contains(err.Error(), "--allow-host evil.com") {
					t.Errorf("%s %v of a name that points to %v: %v", r.Method, r.Header, at, err)
				}
				if g.Controls(r) == nil {
					t.Errorf("%s %v of a name that points to %v may control", r.Method, r.Header, at)
				}
			}
		}
	}
}

func TestOrigins(t *testing.T) {
	g := guard.New(guard.Access{Origins: []string{"https://app.example.com", "null", "app://."}})
	g.ListensOn(onLoopback)
	for _, c := range []struct {
		headers []string
		want    bool
	}{
		{nil, true}, // an SDK
		{[]string{"Sec-Fetch-Mode", "cors"}, true}, // fetch of Node
		{[]string{"Sec-Fetch-Site", "same-origin"}, true},
		{[]string{"Sec-Fetch-Site", "none"}, true}, // typed by the user
		{[]string{"Origin", "http://127.0.0.1:8080"}, true},
		{[]string{"Origin", "http://localhost:5173", "Sec-Fetch-Site", "same-site"}, true},
		{[]string{"Origin", "http://[::1]:5173", "Sec-Fetch-Site", "cross-site"}, true},
		{[]string{"Origin", "https://app.example.com", "Sec-Fetch-Site", "cross-site"}, true},
		{[]string{"Origin", "HTTPS://APP.example.com", "Sec-Fetch-Site", "cross-site"}, true},
		{[]string{"Origin", "null", "Sec-Fetch-Site", "cross-site"}, true},
		{[]string{"Origin", "app://.", "Sec-Fetch-Site", "cross-site"}, true},
		{[]string{"Origin", "http://evil.com"}, false},
		{[]string{"Origin", "http://evil.com", "Sec-Fetch-Site", "cross-site"}, false},
		{[]string{"Origin", "http://evil.com", "Origin", "http://localhost"}, false},
		{[]string{"Origin", "http://localhost.evil.com"}, false},
		{[]string{"Origin", "http://127.0.0.1.evil.com"}, false},
		{[]string{"Origin", "http://127.0.0.1:8080@evil.com"}, false},
		{[]string{"Origin", "data://localhost"}, false},
		{[]string{"Origin", ""}, false},
		{[]string{"Origin", "http://127.0.0.1:8080", "Sec-Fetch-Site", "cross-site"}, true},
		{[]string{"Sec-Fetch-Site", "cross-site"}, false},
		{[]string{"Sec-Fetch-Site", "same-site"}, false},
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS", "DELETE"} {
			err := g.Calls(request(method, "127.0.0.1:8080", c.headers...))
			if (err == nil) != c.want {
				t.Errorf("%s with %q: allowed is %v, want %v: %v", method, c.headers, err == nil, c.want, err)
			}
		}
	}
	any := guard.New(guard.Access{Origins: []string{"*"}})
	for _, headers := range [][]string{{"Origin", "http://evil.com"}, {"Sec-Fetch-Site", "cross-site"}, {"Origin", "null"}} {
		if err := any.Calls(request("POST", "127.0.0.1", headers...)); err != nil {
			t.Errorf("where any origin is allowed, one with %v is refused: %v", headers, err)
		}
		if any.Controls(request("POST", "127.0.0.1", headers...)) == nil {
			t.Errorf("one with %v may control", headers)
		}
	}
	if err := g.Controls(request("GET", "127.0.0.1", "Sec-Fetch-Site", "cross-site")); err != nil {
		t.Errorf("a link to the control paths is refused: %v", err)
	}
	open := guard.New(guard.Access{Origins: []string{"https://app.example.com"}})
	open.ListensOn(onAll)
	if err := open.Calls(request("POST", "mock.team.example.org", "Origin", "https://app.example.com", "Sec-Fetch-Site", "cross-site")); err != nil {
		t.Errorf("a page that is allowed by name may use any name of an open server: %v", err)
	}
}

// No page makes a client take the server for a proxy, which names the host in the first line.
func TestProxies(t *testing.T) {
	g := guard.New(guard.Access{})
	g.ListensOn(onLoopback)
	r := httptest.NewRequest("POST", "http://api.openai.com/v1/chat/completions", nil)
	if err := g.Calls(r); err != nil {
		t.Error(err)
	}
	if g.Controls(r) == nil {
		t.Error("a request that takes the server for a proxy may control")
	}
}

func TestRefusalsSayWhatAllowsThem(t *testing.T) {
	g := guard.New(guard.Access{})
	g.ListensOn(onLoopback)
	for want, r := range map[string]*http.Request{
		"allow it with --allow-host mock.example.org (in Go: Access.Hosts)":            request("POST", "mock.example.org:8080"),
		"allow it with --allow-origin https://app.example.com (in Go: Access.Origins)": request("POST", "127.0.0.1", "Origin", "https://app.example.com"),
	} {
		if err := g.Calls(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	if err := g.Calls(request("GET", strings.Repeat("a", 1<<16)+".com")); err == nil || len(err.Error()) > 1000 {
		t.Errorf("a long host is repeated")
	}
}

func TestToldOnce(t *testing.T) {
	var told guard.Told
	count := 0
	for i := range 1000 {
		for range 2 {
			told.Once(strings.Repeat("x", i), func(string) { count++ })
		}
	}
	if count != 100 {
		t.Errorf("told %d times, want 100: any client can make new texts", count)
	}
}
