package recording_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/internal/recording"
)

const ask = `{"model":"m","stream":true,"messages":[{"role":"user","content":"Hello?"}]}`

// proxy starts a recorder before a handler; finish ends it and returns what it failed at.
func proxy(t *testing.T, upstream http.Handler, c recording.Config) (url string, finish func() []string) {
	t.Helper()
	up := httptest.NewServer(upstream)
	t.Cleanup(up.Close)
	if c.Upstream == "" {
		c.Upstream = up.URL
	}
	c.Upstream = strings.Replace(c.Upstream, "UP", up.URL, 1)
	var mu sync.Mutex
	var all []string
	c.Failed = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, err.Error())
	}
	r, err := recording.New(c)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(r)
	t.Cleanup(srv.Close)
	return srv.URL, func() []string {
		srv.Close()
		r.Close()
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// The provider sends the next piece only after the client has the one before, so a piece that were
// held back would never come.
func TestStreamsPassUndelayed(t *testing.T) {
	arrived := make(chan bool)
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 20 {
			io.WriteString(w, "data: {\"odd\":  \"piece\"}\n\n")
			http.NewResponseController(w).Flush()
			select {
			case <-arrived:
			case <-r.Context().Done():
				return
			}
		}
	})
	url, finish := proxy(t, upstream, recording.Config{Dir: t.TempDir()})
	defer finish()
	resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for i := range 20 {
		line, err := lines.ReadString('\n')
		if err != nil || line != "data: {\"odd\":  \"piece\"}\n" {
			t.Fatalf("piece %d is %q (%v)", i, line, err)
		}
		lines.ReadString('\n')
		arrived <- true
	}
}

// closedBody is the body of a request that the server has closed when it is read to its end.
type closedBody struct {
	io.Reader
	ended bool
}

func (b *closedBody) Read(p []byte) (int, error) {
	if b.ended {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := b.Reader.Read(p)
	b.ended = err == io.EOF
	return n, err
}

func (b *closedBody) Close() error { return nil }

// The server closes the body of a request as soon as the answer begins: that breaks no answer.
func TestABodyIsNotReadTwice(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	defer up.Close()
	r, err := recording.New(recording.Config{Upstream: up.URL, Dir: t.TempDir(), Failed: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	req := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", &closedBody{Reader: strings.NewReader(ask)})
	req.ContentLength = int64(len(ask))
	got := httptest.NewRecorder()
	if r.ServeHTTP(got, req); got.Code != http.StatusOK || got.Body.String() != ask {
		t.Errorf("the answer is %d %s", got.Code, got.Body)
	}
}

// Whatever is asked reaches the provider as it is, with the key, and whatever it answers the
// client.
func TestEverythingPassesUntouched(t *testing.T) {
	var got *http.Request
	var body string
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got, body = r, string(data)
		w.Header()["X-Odd"] = []string{"a", "b"}
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "\x00 any\r\nbytes")
	})
	for _, c := range []struct{ upstream, path, want string }{
		{"UP", "/v1/embeddings?x=1&x=2", "/v1/embeddings?x=1&x=2"},
		{"UP", "/v1/chat/completions", "/v1/chat/completions"},
		{"UP/v1", "/v1/chat/completions", "/v1/chat/completions"},
		{"UP/api/v1/", "/v1/chat/completions", "/api/v1/chat/completions"},
		{"UP/api", "/v1/messages", "/api/v1/messages"},
	} {
		url, finish := proxy(t, upstream, recording.Config{Upstream: c.upstream, Dir: t.TempDir()})
		req, _ := http.NewRequest(http.MethodPost, url+c.path, strings.NewReader("{ \"a\" : 1 }"))
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if got.RequestURI != c.want || got.Header.Get("Authorization") != "Bearer "+key || body != "{ \"a\" : 1 }" {
			t.Errorf("%s: the provider got %s %v %q", c.path, got.RequestURI, got.Header, body)
		}
		if got.Header.Get("X-Forwarded-For") != "" || got.Host == "" || strings.HasPrefix(url, "http://"+got.Host) {
			t.Errorf("%s: the provider can see the proxy: %v, host %s", c.path, got.Header, got.Host)
		}
		if resp.StatusCode != http.StatusTeapot || string(answer) != "\x00 any\r\nbytes" || len(resp.Header.Values("X-Odd")) != 2 {
			t.Errorf("%s: the client got %d %v %q", c.path, resp.StatusCode, resp.Header, answer)
		}
		finish()
	}
}

// A provider that breaks off does so to the client too, and the recording says so.
func TestBrokenAnswersStayBroken(t *testing.T) {
	dir := t.TempDir()
	upstream := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n")
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	url, finish := proxy(t, upstream, recording.Config{Dir: dir})
	resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(resp.Body)
	resp.Body.Close()
	if err == nil {
		t.Error("the client takes the broken answer for a whole one")
	}
	finish()
	rec := recorded{dir: dir}
	if files := rec.files(t); !strings.Contains(files["hello.yaml"], "breaks off") || !strings.Contains(files["hello/01.http"], "Loopproof-Ending: severed") {
		t.Errorf("the recording does not say that the answer broke off: %v", files)
	}
}

func TestAnUpstreamThatCannotBeReachedIsNamed(t *testing.T) {
	url, finish := proxy(t, http.NotFoundHandler(), recording.Config{Upstream: "http://127.0.0.1:1", Dir: t.TempDir()})
	resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	failures := finish()
	if resp.StatusCode != http.StatusBadGateway || !strings.Contains(string(body), "the upstream http://127.0.0.1:1 cannot be reached") || len(failures) != 1 {
		t.Errorf("the client got %d %s, and this was told: %v", resp.StatusCode, body, failures)
	}
}

func TestWrongUpstreams(t *testing.T) {
	for _, upstream := range []string{"", "api.openai.com", "ftp://example.com", "http://"} {
		if _, err := recording.New(recording.Config{Upstream: upstream}); err == nil {
			t.Errorf("the upstream %q is taken", upstream)
		}
	}
}

// TestUpstreamWithSecrets: a password or a query of the upstream would go nowhere and be printed,
// so it is refused, and the error repeats neither.
func TestUpstreamWithSecrets(t *testing.T) {
	for _, upstream := range []string{"https://user:PASSWORD@example.com", "https://example.com/v1?key=PASSWORD"} {
		_, err := recording.New(recording.Config{Upstream: upstream})
		if err == nil || strings.Contains(err.Error(), "PASSWORD") || !strings.Contains(err.Error(), "example.com") {
			t.Errorf("the upstream %s gives the error: %v", upstream, err)
		}
	}
}

// TestOwnHeadersStayHere: the provider does not see which run of a mock provider a request belongs
// to.
func TestOwnHeadersStayHere(t *testing.T) {
	var got http.Header
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r.Header.Clone() }))
	defer upstream.Close()
	r, err := recording.New(recording.Config{Upstream: upstream.URL})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(r)
	defer srv.Close()
	for _, c := range []struct{ name, value, want string }{
		{"X-Loopproof-Run", "mine", ""},
		{"X-Loopproof-Behaviour", "first-token: 1s", ""},
		{"Authorization", "Bearer loopproof-mine", ""},
		{"X-Api-Key", "loopproof-mine", ""},
		{"Authorization", "Bearer sk-their-own", "Bearer sk-their-own"},
		{"X-Request-Source", "tests", "tests"},
	} {
		req, err := http.NewRequest(http.MethodPost, srv.URL+"/v1/chat/completions", strings.NewReader(ask))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(c.name, c.value)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := got.Get(c.name); got != c.want {
			t.Errorf("%s: %s reaches the provider as %q, want %q", c.name, c.value, got, c.want)
		}
	}
}

// Any client can make new paths, and long ones: of a flood of them a hundred are told, each in a
// line.
func TestAFloodOfPathsIsNotTold(t *testing.T) {
	var lines []string
	c := recording.Config{Upstream: "http://127.0.0.1:1", Dir: t.TempDir(), Noted: func(line string) { lines = append(lines, line) }, Transport: nowhere{}}
	r, err := recording.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range 300 {
		for range 2 {
			r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/"+strconv.Itoa(i)+strings.Repeat("a", 10_000), nil))
		}
	}
	if length := len(strings.Join(lines, "")); len(lines) != 100 || length > 50_000 {
		t.Errorf("%d lines of %d bytes are told, want 100 short ones", len(lines), length)
	}
}

// nowhere reaches no provider.
type nowhere struct{}

func (nowhere) RoundTrip(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }
