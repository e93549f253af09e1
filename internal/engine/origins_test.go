package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// asPage sends a request as a browser does for a page.
func asPage(t *testing.T, method, url, host string, headers map[string]string) answer {
	t.Helper()
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	return send(t, req)
}

// TestControlRefusesStrangers demands that pages of other sites neither read nor change anything: not under a name that
// they let point to this machine, and not by a request that a browser sends without asking.
func TestControlRefusesStrangers(t *testing.T) {
	srv := start(t, engine.Config{Access: engine.Access{Hosts: []string{"mock.example.org"}}})
	for host, want := range map[string]int{
		"": 200, "localhost:8080": 200, "[::1]:8080": 200, "mock": 200, "mock:8080": 200, "loopproof.ci.svc.cluster.local": 200, "mock.example.org": 200,
		"evil.example.net": 403, "rebind.it.:8080": 403, "127.0.0.1.nip.io": 403,
	} {
		if got := asPage(t, http.MethodGet, srv.URL+"/loopproof/requests", host, nil); got.status != want {
			t.Errorf("under the host %q the journal is answered %d, want %d", host, got.status, want)
		}
	}
	if got := asPage(t, http.MethodGet, srv.URL+"/loopproof/healthz", "evil.example.net", nil); got.status != 200 {
		t.Errorf("the health check is answered %d", got.status)
	}
	for _, c := range []struct {
		headers map[string]string
		want    int
	}{
		{nil, 200},
		{map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example.net"}, 403},
		{map[string]string{"Origin": "http://evil.example.net"}, 403},
		{map[string]string{"Origin": srv.URL}, 200},
	} {
		if got := asPage(t, http.MethodPost, srv.URL+"/loopproof/runs/default/reset", "", c.headers); got.status != c.want {
			t.Errorf("a reset with %v is answered %d, want %d", c.headers, got.status, c.want)
		}
	}
}

func TestModelsAreShared(t *testing.T) {
	srv := start(t, engine.Config{Access: engine.Access{Origins: []string{"https://app.example.com", "https://Shop.example.com"}}})
	for origin, allowed := range map[string]bool{
		"https://shop.example.com": true, // browsers send it in small letters
		"http://localhost:5173":    true, "http://127.0.0.1:3000": true, "http://[::1]:3000": true, "https://app.example.com": true,
		"https://evil.example.net": false, "null": false, "": false, "http://localhost.evil.example": false,
	} {
		asked := asPage(t, http.MethodOptions, srv.URL+"/v1/chat/completions", "", map[string]string{
			"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization, content-type",
		})
		got := asPage(t, http.MethodGet, srv.URL+"/v1/models", "", map[string]string{"Origin": origin})
		if shared := got.header.Get("Access-Control-Allow-Origin") == origin && origin != ""; shared != allowed {
			t.Errorf("the models are shared with %q: %v, want %v", origin, shared, allowed)
		}
		if allowed != (asked.status == 204 && strings.Contains(asked.header.Get("Access-Control-Allow-Headers"), "authorization")) {
			t.Errorf("a page of %q that asks whether it may is answered %d %v", origin, asked.status, asked.header)
		}
	}
	if got := asPage(t, http.MethodGet, srv.URL+"/loopproof/requests", "", map[string]string{"Origin": "http://localhost:5173"}); got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("the journal is shared")
	}
}
