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
	"sync"
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
	r, told := newToldRecorder(t, url)
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
	told.nothingBut(t, "leads back to this server")
}

// What a recorder answers itself is no answer of the provider, also where another recorder is in
// front of it.
func TestAnUpstreamThatIsARecorder(t *testing.T) {
	nobody := httptest.NewServer(http.NotFoundHandler())
	nobody.Close()
	behind, err := recording.New(recording.Config{Upstream: nobody.URL})
	if err != nil {
		t.Fatal(err)
	}
	inner := httptest.NewServer(behind)
	defer inner.Close()
	r, told := newToldRecorder(t, inner.URL)
	outer := httptest.NewServer(r)
	post(t, outer.URL, ask)
	outer.Close()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	told.nothingBut(t, "not recorded: the upstream "+inner.URL+" is a recorder, too, and answers 502 itself")
}

// told is what a recorder tells.
type told struct {
	mu       sync.Mutex
	recorded []string
	failed   []string
}

// newToldRecorder returns a recorder that writes into a folder, and what it tells.
func newToldRecorder(t *testing.T, upstream string) (*recording.Recorder, *told) {
	t.Helper()
	told := &told{}
	r, err := recording.New(recording.Config{
		Upstream: upstream, Dir: t.TempDir(),
		Seen: func(x recording.Exchange) { told.recorded = append(told.recorded, x.Scenario) },
		Failed: func(err error) {
			told.mu.Lock()
			defer told.mu.Unlock()
			told.failed = append(told.failed, err.Error())
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, told
}

// nothingBut fails unless nothing was recorded, and one failure was told with this text.
func (o *told) nothingBut(t *testing.T, failure string) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.recorded) > 0 {
		t.Errorf("%q is recorded", o.recorded)
	}
	if len(o.failed) != 1 || !strings.Contains(o.failed[0], failure) {
		t.Errorf("the failures are %q, want one with %q", o.failed, failure)
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

// Whatever a prompt says, files are written into the folder and nowhere else, and what was recorded
// is read as it was said.
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
