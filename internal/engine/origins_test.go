package engine_test

import (
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
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

// TestControlRefusesStrangers demands that pages of other sites neither read nor change anything:
// not under a name that they let point to this machine, and not by a request that a browser sends
// without asking.
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

// TestModelsRefuseStrangers demands that pages of other sites reach no model, no tool and no
// fallback, by HTTP or WebSocket, and leave nothing in the journal, by which they would change the
// verdict.
func TestModelsRefuseStrangers(t *testing.T) {
	var mu sync.Mutex
	var told []string
	srv := start(t, engine.Config{
		Scenarios: lookAndTell(t), ExtraProfiles: []*profiles.Profile{profile(t, "anthropic"), profile(t, "openai-responses"), profile(t, "gemini-3")},
		Fallback: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s %s reached the fallback", r.Method, r.URL) }),
		Refused: func(what string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, what)
		},
		ToolServer: func(*engine.Run) http.Handler {
			return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s %s reached the tools", r.Method, r.URL) })
		},
	})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "mistral")})
	socket := map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
	for _, stranger := range []struct {
		host    string
		headers map[string]string
		want    string
	}{
		{"evil.example.net", map[string]string{"Origin": "http://evil.example.net", "Content-Type": "text/plain"}, "--allow-host evil.example.net"},
		{"evil.example.net", nil, "--allow-host evil.example.net"},
		{"", map[string]string{"Origin": "http://evil.example.net", "Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain"}, "--allow-origin http://evil.example.net"},
		{"", map[string]string{"Origin": "null"}, "--allow-origin null"},
		{"", map[string]string{"Sec-Fetch-Site": "cross-site"}, "Sec-Fetch-Site: cross-site"},
		{"", map[string]string{"Sec-Fetch-Site": "same-site"}, "Sec-Fetch-Site: same-site"},
	} {
		for _, path := range []string{
			"POST /v1/chat/completions", "POST /v1/messages", "POST /v1/responses", "POST /v1beta/models/gemini-3:generateContent", "GET /v1/models", "POST /v1/embeddings",
			"GET /v1/responses/resp_1", "DELETE /v1/responses/resp_1", "GET /admin/secrets", "OPTIONS /v1/chat/completions", "GET /v1/responses websocket",
			"POST /run/" + run.ID + "/v1/chat/completions", "POST /run/" + run.ID + "/mcp", "GET /run/" + run.ID + "/mcp", "POST /run/" + run.ID + "/tools/look",
		} {
			headers := maps.Clone(stranger.headers)
			method, path, _ := strings.Cut(path, " ")
			if page, is := strings.CutSuffix(path, " websocket"); is {
				path, headers = page, maps.Clone(socket)
				maps.Copy(headers, stranger.headers)
			}
			got := asPage(t, method, srv.URL+path, stranger.host, headers)
			if got.status != 403 || !strings.Contains(gjson.Get(got.body, "error.message").String()+gjson.Get(got.body, "message").String(), stranger.want) || got.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s %s with the host %q and %v is answered %d %v %s", method, path, stranger.host, headers, got.status, got.header, got.body)
			}
		}
	}
	if body := asPage(t, "POST", srv.URL+"/v1/messages", "evil.example.net", nil).body; gjson.Get(body, "type").String() != "error" {
		t.Errorf("the refusal is not in the form of Messages: %s", body)
	}
	if n := len(srv.Journal().Entries()); n != 0 {
		t.Errorf("%d requests of strangers are in the journal", n)
	}
	if exchanges, _ := run.Record(); len(exchanges) != 0 {
		t.Errorf("the run recorded %d exchanges of strangers", len(exchanges))
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) == 0 || len(told) > 20 {
		t.Errorf("%d lines of the log: %q", len(told), told)
	}
}

// A page whose origin is allowed opens a WebSocket, too, and so does a client that names the server
// as its origin.
func TestSocketsOfAllowedPages(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Access: engine.Access{Origins: []string{"app://."}}})
	for _, origin := range []string{"", srv.URL, "http://localhost:5173", "app://."} {
		head := http.Header{}
		if origin != "" {
			head.Set("Origin", origin)
		}
		conn, resp, err := websocket.Dial(t.Context(), srv.URL+"/v1/responses", &websocket.DialOptions{HTTPHeader: head})
		if err != nil {
			t.Errorf("from %q: %v %v", origin, resp, err)
			continue
		}
		conn.CloseNow()
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
