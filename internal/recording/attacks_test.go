package recording_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/recording"
)

// A recorder whose upstream is itself answers once, and says so, instead of asking itself for ever.
func TestAnUpstreamThatIsTheRecorderItself(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	r, err := recording.New(recording.Config{Upstream: url, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		requests.Add(1)
		r.ServeHTTP(w, req)
	})}
	go srv.Serve(l)
	leadsBack(t, url)
	if err := errors.Join(srv.Shutdown(t.Context()), r.Close()); err != nil { // both wait for what is still written into the folder
		t.Error(err)
	}
	if n := requests.Load(); n != 2 {
		t.Errorf("one request became %d", n)
	}
}

// So does a server whose fallback is itself.
func TestAFallbackThatIsTheServerItself(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	r, err := recording.New(recording.Config{Upstream: url})
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.Serve(l, engine.New(engine.Config{Fallback: r}))
	defer srv.Close()
	leadsBack(t, url)
	if n := srv.Journal().Count(); n != 2 {
		t.Errorf("one request became %d", n)
	}
}

func leadsBack(t *testing.T, url string) {
	t.Helper()
	resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusLoopDetected || !strings.Contains(string(body), "leads back to this server: name the real provider") {
		t.Errorf("the answer is %d %s", resp.StatusCode, body)
	}
}

// Whatever a prompt says, files are written into the folder and nowhere else, and what was recorded is read as it was said.
func TestPromptsNameNoOtherPlaces(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "recordings")
	prompts := []string{"../../escaped", "/etc/passwd", "..", `..\..\escaped`, "a\x00b", "x: {y: [", "---\nmodel: []", "# no comment", "{{ user }}", strings.Repeat("long ", 400), "<script>alert(1)</script>"}
	upstream := httptest.NewServer(saying(make([]string, len(prompts))...))
	defer upstream.Close()
	var failed []string
	r, err := recording.New(recording.Config{Upstream: upstream.URL, Dir: dir, Failed: func(err error) { failed = append(failed, err.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(r)
	defer front.Close()
	for _, prompt := range prompts {
		post(t, front.URL, fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%s}]}`, quoted(prompt)))
	}
	front.Close()
	if err := r.Close(); err != nil || len(failed) > 0 {
		t.Errorf("this failed: %v %q", err, failed)
	}
	if outside, _ := os.ReadDir(parent); len(outside) != 1 {
		t.Errorf("these are alongside the folder: %v", outside)
	}
	said := map[string]bool{}
	for _, s := range (recorded{dir: dir}).load(t) {
		said[s.Prompts[0]] = true
	}
	for _, prompt := range prompts {
		if !said[strings.TrimSpace(prompt)] {
			t.Errorf("no recording begins with %.40q", prompt)
		}
	}
}
