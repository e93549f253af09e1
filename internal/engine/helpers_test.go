package engine_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// scenario reads a scenario. Its prompt is "Go." unless the text has one.
func scenario(tb testing.TB, text string) *scenarios.Scenario {
	tb.Helper()
	if !strings.Contains(text, "prompt") {
		text = "prompt: Go.\n" + text
	}
	return script(tb, "test/scenario", text)
}

// script reads a scenario under a name of its own.
func script(tb testing.TB, id, text string) *scenarios.Scenario {
	tb.Helper()
	vocabulary := rulebook.Vocabulary(profiles.Known{})
	s, err := scenarios.Parse(id+".yaml", []byte("loopproof: 1\ntitle: Test\n"+text), vocabulary)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func profile(tb testing.TB, name string) *profiles.Profile {
	tb.Helper()
	p, err := profiles.Get(name)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// start starts a server that is closed at the end of the test.
func start(tb testing.TB, c engine.Config) *engine.Server {
	tb.Helper()
	srv := engine.NewServer(c)
	tb.Cleanup(srv.Close)
	return srv
}

// answer is a response, read to its end.
type answer struct {
	status int
	header http.Header
	body   string
	err    error // that ended the body
}

func do(tb testing.TB, method, url, body string) answer {
	tb.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	return send(tb, req)
}

func send(tb testing.TB, req *http.Request) answer {
	tb.Helper()
	req.Header.Set("Authorization", "Bearer sk-very-secret")
	if req.Header.Get("Anthropic-Version") == "" {
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		tb.Error(err)
		return answer{err: err}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(data), err}
}

// ask posts a request for a chat completion to the server or to a run of it.
func ask(tb testing.TB, base, body string) answer {
	tb.Helper()
	return do(tb, http.MethodPost, base+"/v1/chat/completions", body)
}

// serve asks a provider without a network between.
func serve(p *engine.Provider, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
	return w
}

// hello is a request that every provider takes.
const hello = `{"model":"m","messages":[{"role":"user","content":"Go."}]}`

// says reports whether the answer is a good one that contains a text.
func (a answer) says(text string) bool {
	return a.status == http.StatusOK && strings.Contains(a.body, text)
}

// clock is a clock that does not advance, and remembers how long was slept.
type clock struct {
	mu    sync.Mutex
	slept []time.Duration
}

func (c *clock) Now() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func (c *clock) Sleep(_ context.Context, d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	return true
}

// movingClock is a clock that is set by hand.
type movingClock struct {
	clock
	at time.Duration
}

func (c *movingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clock.Now().Add(c.at)
}

func (c *movingClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at += d
}

var drawnRequestID = regexp.MustCompile(`req_(vrtx_)?011[A-Za-z0-9]{21}`)

// withExampleID returns the body of an error with the id of the request that is in the profile.
func withExampleID(body string) string {
	return drawnRequestID.ReplaceAllString(body, "req_${1}011loopproof")
}
