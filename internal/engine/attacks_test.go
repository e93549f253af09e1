package engine_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// What a client sends is shown as text on every page, and no browser runs what it gets of it.
func TestNothingThatIsSentRuns(t *testing.T) {
	const attack = `<script>alert(1)</script><img src=x onerror=alert(2)>`
	s := script(t, "hello", "model: [{text: '{{ user }}'}]\n")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}})
	body := `{"model":` + string(quote(attack)) + `,"messages":[{"role":"user","content":` + string(quote(attack)) + `}],"tools":[{"type":"function","function":{"name":` + string(quote(attack)) + `}}]}`
	ask(t, srv.URL, body)
	ask(t, srv.URL, strings.Replace(body, "}]", `},{"role":"tool","tool_call_id":`+string(quote(attack))+`,"content":`+string(quote(attack))+`}]`, 1))
	do(t, http.MethodPost, srv.URL+"/v1/"+"%3Cscript%3Ealert(1)%3C/script%3E", "{}")
	for _, path := range []string{"/loopproof/", "/loopproof/show/default/1", "/loopproof/show/default/2", "/loopproof/runs/default/requests/1/body", "/loopproof/runs/default/requests/1/value?pointer=/model", "/loopproof/runs/default/requests/1/answer"} {
		got := do(t, http.MethodGet, srv.URL+path, "")
		if got.status != http.StatusOK || got.header.Get("Content-Security-Policy") == "" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s is answered %d without protection: %v", path, got.status, got.header)
		}
		html := strings.HasPrefix(got.header.Get("Content-Type"), "text/html")
		if html && (strings.Contains(got.body, "<script>alert") || strings.Contains(got.body, "<img src=x")) {
			t.Errorf("%s carries what was sent as it is", path)
		}
		if !html && strings.HasPrefix(got.header.Get("Content-Type"), "text/") && !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
			t.Errorf("%s is %s", path, got.header.Get("Content-Type"))
		}
	}
}

func quote(text string) []byte {
	return []byte(`"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(text) + `"`)
}

// No path leads to a file, nor out of the run that it names.
func TestNoPathLeadsOut(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	for _, path := range []string{
		"/loopproof/assets/../../../../etc/passwd", "/loopproof/assets/..%2f..%2f..%2fetc%2fpasswd", "/loopproof/assets/%2e%2e/style.css", "/..//etc/passwd",
		"/run/../loopproof/requests", "/run/..%2floopproof/v1/chat/completions", "/loopproof/runs/..%2f..%2fetc/requests/1", "/loopproof/show/../../1",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n") // which no client tidies up
		answer, _ := io.ReadAll(conn)
		conn.Close()
		line, _, _ := strings.Cut(string(answer), "\r\n")
		if !strings.Contains(line, " 404 ") && !strings.Contains(line, " 400 ") && !strings.Contains(line, " 405 ") || bytes.Contains(answer, []byte("root:")) {
			t.Errorf("%s is answered %s", path, answer)
		}
	}
	for _, id := range []string{"../x", "a/b", "a b", strings.Repeat("x", 65), "\x00"} {
		if _, err := srv.StartTestRun(engine.TestRunConfig{ID: id}); err == nil {
			t.Errorf("a run is named %q", id)
		}
	}
}

// A small body that would be a thousand times as large when it is unpacked is refused unread.
func TestAGzipBomb(t *testing.T) {
	srv := start(t, engine.Config{})
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 16 {
		z.Write(zeros)
	}
	z.Close()
	req, err := http.NewRequest(http.MethodPost, srv.URL+"/v1/chat/completions", &bomb)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Encoding", "gzip")
	if got := send(t, req); got.status != http.StatusBadRequest || !strings.Contains(got.body, "which is not read here") {
		t.Errorf("the answer is %d %s", got.status, got.body)
	}
}

// A thousand clients that stop in the middle of a request, and as many that never read their
// answer, delay no other client, and leave nothing behind.
func TestAThousandHalfRequests(t *testing.T) {
	leavesNothing(t, func() {
		srv := engine.NewServer(engine.Config{Scenarios: lookAndTell(t)})
		var all []net.Conn
		for i := range 1000 {
			conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, conn)
			switch whole := request(http.MethodPost, "/v1/chat/completions", streamed); i % 3 {
			case 0:
				io.WriteString(conn, whole[:20]) // in the middle of the head
			case 1:
				io.WriteString(conn, whole[:len(whole)-5]) // in the middle of the body
			case 2:
				io.WriteString(conn, whole) // and does not read
			}
		}
		began := time.Now()
		if got := ask(t, srv.URL, hello); got.status != http.StatusOK {
			t.Errorf("another client is answered %d %s", got.status, got.body)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("another client waits for %v", took)
		}
		srv.Close()
		for _, conn := range all {
			conn.Close()
		}
	})
}
