package engine_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/wire"
)

// plain returns a client that follows no redirect and decodes nothing by itself.
func plain() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// get asks for a turn and reads it to its end.
func get(t *testing.T, base, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, base+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := plain().Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(data), err}
}

func TestFailingSteps(t *testing.T) {
	for _, c := range []struct {
		name, step string
		status     int
		body       string
		headers    map[string]string
	}{
		{"another body", `{status: 502, body: "<html>Bad gateway</html>", content-type: text/html}`, 502, "<html>Bad gateway</html>", map[string]string{"Content-Type": "text/html"}},
		{"no body", `{status: 500, body: ""}`, 500, "", map[string]string{"Content-Type": "application/json", "Content-Length": "0"}},
		{"an array", `{status: 429, body: '[{"error":{"message":"a"}}]'}`, 429, `[{"error":{"message":"a"}}]`, nil},
		{"no answer under 200", `{status: 200, body: "<html>", content-type: text/html}`, 200, "<html>", map[string]string{"Content-Type": "text/html"}},
		{"headers", `{status: 429, headers: {x-should-retry: "false", x-ratelimit-remaining-requests: 0}}`, 429, "*", map[string]string{"X-Should-Retry": "false", "X-Ratelimit-Remaining-Requests": "0"}},
		{"whole seconds", `{status: 429, retry-after: 2s}`, 429, "*", map[string]string{"Retry-After": "2", "Retry-After-Ms": ""}},
		{"parts of a second", `{status: 429, retry-after: 20ms}`, 429, "*", map[string]string{"Retry-After": "", "Retry-After-Ms": "20"}},
		{"seconds in milliseconds", `{status: 429, retry-after: 2s, retry-after-as: milliseconds}`, 429, "*", map[string]string{"Retry-After": "", "Retry-After-Ms": "2000"}},
		{"parts of a second in seconds", `{status: 429, retry-after: 250ms, retry-after-as: seconds}`, 429, "*", map[string]string{"Retry-After": "0.25"}},
		{"a date", `{status: 503, retry-after: 1500ms, retry-after-as: date}`, 503, "*", map[string]string{"Retry-After": "Thu, 01 Jan 2026 00:00:02 GMT"}},
		{"a redirect", `{redirect: 308}`, 308, "*", map[string]string{"Location": "/run/ID/v1/chat/completions"}},
		{"headers of an answer", `{text: Done., headers: {x-request-id: req_1}}`, 200, "*", map[string]string{"X-Request-Id": "req_1"}},
		{"an answer of another type", `{text: Done., content-type: text/plain}`, 200, "*", map[string]string{"Content-Type": "text/plain"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := start(t, engine.Config{Clock: &clock{}})
			run, base := begin(t, srv, "model: ["+c.step+"]", engine.RunConfig{})
			got := get(t, base, hello)
			if got.status != c.status || c.body != "*" && got.body != c.body || got.err != nil {
				t.Errorf("answered %d %q, %v", got.status, got.body, got.err)
			}
			for name, want := range c.headers {
				if have := got.header.Get(name); have != strings.ReplaceAll(want, "ID", run.ID) {
					t.Errorf("%s is %q, want %q", name, have, want)
				}
			}
		})
	}
}

// Each dialect has its own body for half an answer, half an error, and an error that comes with the
// status of success.
func TestBodiesOfTheProvider(t *testing.T) {
	messages := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."}]}`
	for _, c := range []struct{ profile, path, request, half, failure, success string }{
		{"openai", "/v1/chat/completions", hello, `"message":{"role":"assistant","content":"It is`, `{"error":{"message":"It is`, `{"error":{"message":"Overloaded"`},
		{"anthropic", "/v1/messages", messages, `"content":[{"type":"text","text":"It is`, `{"type":"error","error":{"type":"api_error","message":"It is`, `"message":"Overloaded"`},
		{"openai-responses", "/v1/responses", `{"model":"m","input":"Go."}`, `"text":"It is`, `{"error":{"message":"It is`, `{"error":{"message":"Overloaded"`},
		{"gemini-3", "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}]}`, `{"candidates":[{"content":{"parts":[{"text":"It is`, `"message":"It is`, `"message":"Overloaded"`},
	} {
		srv := start(t, engine.Config{})
		_, base := begin(t, srv, "model: [{status: 200, half: It is cold.}, {status: 500, half: It is cold.}, {status: 200, error: {message: Overloaded}}]", engine.RunConfig{Profile: profile(t, c.profile)})
		for _, want := range []struct {
			status int
			text   string
			whole  bool
		}{{200, c.half, false}, {500, c.failure, false}, {200, c.success, true}} {
			got := do(t, http.MethodPost, base+c.path, c.request)
			if got.status != want.status || !strings.Contains(got.body, want.text) || !want.whole && !strings.HasSuffix(got.body, want.text) || json.Valid([]byte(got.body)) != want.whole {
				t.Errorf("%s: answered %d %s, want %d with %s", c.profile, got.status, got.body, want.status, want.text)
			}
		}
	}
}

// A request for a stream is answered with one document where the step says so.
func TestWholeAnswerToAStream(t *testing.T) {
	srv := start(t, engine.Config{})
	_, base := begin(t, srv, "model: [{text: Done., whole: true}]", engine.RunConfig{Delivery: wire.DeliverSSE})
	if got := get(t, base, streamed); got.header.Get("Content-Type") != "application/json" || !got.says(`"object":"chat.completion"`) {
		t.Errorf("answered %v %s", got.header, got.body)
	}
}

// Only a client that takes gzip gets it, and what is flushed can be read at once.
func TestGzip(t *testing.T) {
	for _, c := range []struct {
		name, step, accept string
		body               string
		compressed         bool
	}{
		{"an answer", "{text: Done., gzip: true}", "gzip, deflate", hello, true},
		{"a stream", "{text: Done., gzip: true}", "br;q=1, gzip;q=0.5", streamed, true},
		{"an error", "{status: 500, gzip: true}", "gzip", hello, true},
		{"a client that takes anything", "{text: Done., gzip: true}", "*", hello, true},
		{"a client that says nothing", "{text: Done., gzip: true}", "", hello, false},
		{"a client that wants none", "{text: Done., gzip: true}", "gzip;q=0, identity", hello, false},
		{"a client that takes others", "{text: Done., gzip: true}", "br, zstd", hello, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := start(t, engine.Config{})
			_, base := begin(t, srv, "model: ["+c.step+", "+strings.Replace(c.step, ", gzip: true", "", 1)+"]", engine.RunConfig{Secret: "secret"})
			got, want := get(t, base, c.body, "Accept-Encoding", c.accept), get(t, base, c.body)
			if (got.header.Get("Content-Encoding") == "gzip") != c.compressed {
				t.Fatalf("answered %v", got.header)
			}
			if !c.compressed {
				return
			}
			z, err := gzip.NewReader(strings.NewReader(got.body))
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil || len(data) != len(want.body) {
				t.Errorf("decoded %q, %v; want %q", data, err, want.body)
			}
		})
	}
}

// A turn of which nothing arrives ends the connection without a byte.
func TestNothingArrives(t *testing.T) {
	for step, want := range map[string]error{
		"cut: {before: headers}":            io.EOF,
		"reset: {before: headers}":          syscall.ECONNRESET,
		"stall: {before: headers, for: 1h}": io.EOF,
	} {
		srv := start(t, engine.Config{Clock: &clock{}}) // its sleeps take no time
		run, base := begin(t, srv, "model: [{"+step+"}, {text: Done.}]", engine.RunConfig{})
		if got := get(t, base, hello); !errors.Is(got.err, want) {
			t.Errorf("%s: ended with %v, want %v", step, got.err, want)
		}
		if got := get(t, base, hello); !got.says("Done.") {
			t.Errorf("%s: the next request is answered %d %s", step, got.status, got.body)
		}
		if exchanges, _ := run.Record(); len(exchanges) != 2 || !exchanges[0].Turn.Lost() {
			t.Errorf("%s: recorded %+v", step, exchanges)
		}
	}
}

// A stalled answer arrives up to its stall. The silence ends when the client leaves, or with the
// run.
func TestStall(t *testing.T) {
	const stalls = "model:\n  - text: One two three four.\n    stall: {after: 2 events, for: 1h}"
	for name, end := range map[string]func(leave context.CancelFunc, srv *engine.Server, run *engine.Run){
		"the client leaves": func(leave context.CancelFunc, _ *engine.Server, _ *engine.Run) { leave() },
		"the run ends":      func(_ context.CancelFunc, srv *engine.Server, run *engine.Run) { srv.EndRun(run) },
		"the server closes": func(_ context.CancelFunc, srv *engine.Server, _ *engine.Run) { go srv.Close() },
	} {
		for _, body := range []string{streamed, hello} {
			w := &waiting{begun: make(chan struct{})}
			srv := engine.NewServer(engine.Config{Clock: w})
			run, base := begin(t, srv, stalls, engine.RunConfig{})
			ctx, leave := context.WithCancel(context.Background())
			gone := make(chan answer)
			go func() {
				req, _ := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/chat/completions", strings.NewReader(body))
				resp, err := plain().Do(req)
				if err != nil {
					gone <- answer{err: err}
					return
				}
				defer resp.Body.Close()
				data, err := io.ReadAll(resp.Body)
				gone <- answer{status: resp.StatusCode, body: string(data), err: err}
			}()
			<-w.begun
			end(leave, srv, run)
			got := <-gone
			events := strings.Count(got.body, "data: ")
			if left := errors.Is(got.err, context.Canceled); got.err == nil && body == hello || events > 2 || !left && (got.status != 200 || body == streamed && events != 2) {
				t.Errorf("%s: arrived %d %q, %v", name, got.status, got.body, got.err)
			}
			leave()
			srv.Close() // returns only when nothing is served any more
		}
	}
}

// When the script says so, new connections are refused, and open ones are closed.
func TestRefusedConnection(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}, {refused: true}]"), Profile: profile(t, "openai")})
	base := strings.TrimSuffix(run.Task(srv.URL).BaseURL, "/v1")
	if strings.HasPrefix(base, srv.URL) {
		t.Fatalf("the run has no port of its own: %s", base)
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	post := func() (string, error) {
		resp, err := client.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(hello))
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		return string(data), err
	}
	if body, err := post(); err != nil || !strings.Contains(body, "Done.") {
		t.Fatalf("answered %s, %v", body, err)
	}
	for range 3 {
		if _, err := post(); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("the next request ended with %v", err)
		}
	}
	if exchanges, _ := run.Record(); len(exchanges) != 1 {
		t.Errorf("%d exchanges are recorded", len(exchanges))
	}
	if got := do(t, http.MethodGet, srv.URL+"/loopproof/healthz", ""); got.status != 200 {
		t.Errorf("the server itself is %d", got.status)
	}
}

// Without a port of its own, as under loopproof serve, the connection is reset.
func TestRefusedOutsideOfRuns(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.Provider.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}, {refused: true}]"), Profile: profile(t, "openai")})
	base := srv.URL + "/run/" + run.ID
	if got := get(t, base, hello); !got.says("Done.") {
		t.Fatalf("answered %d %s", got.status, got.body)
	}
	if got := get(t, base, hello); !errors.Is(got.err, syscall.ECONNRESET) {
		t.Errorf("the next request ended with %v", got.err)
	}
}

// A client that turns a redirected POST into a GET is noted, one that merely gets is not.
func TestMethodLostOnARedirect(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, "model: [{redirect: 302}, {text: Done.}]", engine.RunConfig{})
	do(t, http.MethodGet, base+"/v1/chat/completions", "")
	if got := ask(t, base, hello); got.status != http.StatusMethodNotAllowed {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	exchanges, _ := run.Record()
	if len(exchanges) != 2 || exchanges[1].Method != http.MethodGet || exchanges[1].Request != nil {
		t.Errorf("recorded %+v", exchanges)
	}
}

// Clients that vanish in every kind of failure leave nothing behind.
func TestFailuresLeaveNothing(t *testing.T) {
	leavesNothing(t, func() {
		srv := engine.NewServer(engine.Config{})
		for _, step := range []string{
			"{stall: {before: headers, for: 1h}}", "{text: One two., stall: {after: 1 event, for: 1h}}",
			"{cut: {before: headers}}", "{reset: {before: headers}}", "{text: One., gzip: true}", "{redirect: 307}",
		} {
			for _, body := range []string{hello, streamed} {
				_, base := begin(t, srv, "model: ["+step+"]", engine.RunConfig{})
				ctx, leave := context.WithTimeout(context.Background(), 20*time.Millisecond)
				req, _ := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/chat/completions", strings.NewReader(body))
				if resp, err := plain().Do(req); err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				leave()
			}
		}
		for range 3 { // ports of their own, used or not
			srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}, {refused: true}]"), Profile: profile(t, "openai")})
		}
		srv.Close()
	})
}
