package recording_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// answering is a provider that gives one answer to everything.
type answering struct {
	status int
	stream bool
	body   []byte
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	h := http.Header{"Content-Type": {"application/json"}}
	if a.stream {
		h.Set("Content-Type", "text/event-stream")
	}
	return &http.Response{StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r}, nil
}

// Whatever passes through a recorder, the client gets it as it was, and what was written is a
// scenario that answers the same, but for requests with a key that occurs twice, which the mock
// provider refuses.
func FuzzRecordings(f *testing.F) {
	request := []byte(`{"model":"m","messages":[{"role":"user","content":"Hi: {{ \"x\" }}"}]}`)
	f.Add(request, []byte(`{"choices":[{"message":{"role":"assistant","content":"- a: #b\u0000","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]},"finish_reason":"stop"}]}`), false, false)
	f.Add(bytes.Replace(request, []byte("{"), []byte(`{"stream":true,`), 1), []byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\\tb\"}}]}\n\ndata: [DONE]\n\n"), true, false)
	f.Add(request, []byte(`{"error":{"message":"no"}}`), false, true)
	f.Fuzz(func(t *testing.T, request, answer []byte, stream, fails bool) {
		status := http.StatusOK
		if fails {
			status = http.StatusTooManyRequests
		}
		dir := t.TempDir()
		r, err := recording.New(recording.Config{Upstream: "http://provider.test", Dir: dir, Transport: answering{status, stream, answer}})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", bytes.NewReader(request)))
		if err := r.Close(); err != nil {
			t.Errorf("it cannot be closed: %v", err)
		}
		if w.Code != status || !bytes.Equal(w.Body.Bytes(), answer) {
			t.Errorf("the client got %d %q, want %d %q", w.Code, w.Body, status, answer)
		}
		all, err := scenarios.Load(os.DirFS(dir), scenarios.Vocabulary{Profiles: profiles.Known{}.Names()})
		if err != nil {
			t.Errorf("what was recorded is not a scenario: %v", err)
		}
		if asked, err := chat.Read(request); err == nil && utf8.Valid(request) && asked.Body.DoubledKey() == nil && len(asked.Messages) > 0 && asked.Stream == stream && len(all) == 1 {
			again := playedBack(all, request)
			if again.Code != status || !bytes.Equal(again.Body.Bytes(), answer) {
				t.Errorf("what was recorded is played back as %d %q, want %d %q", again.Code, again.Body, status, answer)
			}
		}
	})
}

// playedBack asks a provider that plays what was recorded. One that breaks off has no connection
// that it could sever.
func playedBack(all []*scenarios.Scenario, request []byte) (w *httptest.ResponseRecorder) {
	w = httptest.NewRecorder()
	defer func() {
		if what := recover(); what != nil && what != http.ErrAbortHandler {
			panic(what)
		}
	}()
	p := engine.New(engine.Config{Scenarios: all, Lenient: true, AllowImpossible: true})
	p.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", bytes.NewReader(request)))
	return w
}
