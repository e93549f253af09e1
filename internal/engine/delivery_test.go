package engine_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// writesOf asks a provider without a network between, and returns what is written at a time.
func writesOf(p *engine.Provider, body, how string) []string {
	r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body))
	if how != "" {
		r.Header.Set(engine.BehaviourHeader, how)
	}
	w := &writes{ResponseRecorder: httptest.NewRecorder()}
	p.ServeHTTP(w, r)
	return w.all
}

// writes is a response that notes what is written at a time.
type writes struct {
	*httptest.ResponseRecorder
	all []string
}

func (w *writes) Write(b []byte) (int, error) {
	w.all = append(w.all, string(b))
	return len(b), nil
}

// A stream is divided into writes as the behaviour of a request says, also where the same request
// came before and its answer is remembered.
func TestDeliveryOfABehaviour(t *testing.T) {
	p := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	whole := strings.Join(writesOf(p, asStream, ""), "")
	events := strings.Count(whole, "\n\n")
	for range 3 {
		for how, want := range map[string]int{"": events, "delivery: sse": events, "delivery: sse-merged": 1, "delivery: sse-bytes": len(whole), "{delivery: sse-merged}": 1} {
			got := writesOf(p, asStream, how)
			if len(got) != want || strings.Join(got, "") != whole {
				t.Errorf("with %q the stream comes in %d writes, want %d:\n%s\nwant\n%s", how, len(got), want, strings.Join(got, ""), whole)
			}
		}
	}
}

// TestStreamsAreChunked: a stream has no length in its head, also one that comes in a single write.
func TestStreamsAreChunked(t *testing.T) {
	for _, how := range []string{"delivery: sse", "delivery: sse-merged"} {
		srv, _ := behaving(t, twenty, how)
		resp, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(asStream))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.ContentLength != -1 || len(resp.TransferEncoding) != 1 || resp.TransferEncoding[0] != "chunked" {
			t.Errorf("%s: the stream has %d bytes in its head, and is sent as %q", how, resp.ContentLength, resp.TransferEncoding)
		}
	}
}
