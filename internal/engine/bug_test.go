package engine_test

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

// TestBugIsTold: where the handler panics, the client gets a 500 and the log the place, and the
// server goes on.
func TestBugIsTold(t *testing.T) {
	var logged bytes.Buffer
	before := log.Writer()
	log.SetOutput(&logged)
	defer log.SetOutput(before)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	profile, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	server := engine.Serve(l, engine.New(engine.Config{Profile: profile}), func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/abort" {
				panic(http.ErrAbortHandler)
			}
			panic("no such index")
		})
	})
	for range 2 {
		response, err := http.Get(server.URL + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusInternalServerError || !strings.Contains(string(body), "a bug") {
			t.Errorf("the answer is %d %s", response.StatusCode, body)
		}
	}
	told := strings.Count(logged.String(), "no such index")
	if _, err := http.Get(server.URL + "/abort"); err == nil {
		t.Error("a response that breaks off was answered")
	}
	server.Close()
	if told != 2 || strings.Count(logged.String(), "a bug") != 2 {
		t.Errorf("logged:\n%s", logged.String())
	}
}
