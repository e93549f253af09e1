package refloop_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// provider is a provider with a tool that is called look, and fails where its arguments say fail.
type provider struct {
	base, path string // of the API
	authorized func(http.Header) bool
	parameters string // of the tool
	result     string // of the tool
}

// run has the loop carry out a task with these replies of the provider, and returns the bodies of
// its requests. An error is a reply that begins with its status: 404 {...}.
func (p provider) run(t *testing.T, task protocol.Task, replies []string) (protocol.Outcome, []string) {
	t.Helper()
	var requests []string
	routes := http.NewServeMux()
	routes.HandleFunc("POST "+p.base+p.path, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, string(body))
		if !p.authorized(r.Header) || len(requests) > len(replies) {
			http.Error(w, "no", http.StatusTeapot)
			return
		}
		reply := replies[len(requests)-1]
		if status, body, ok := strings.Cut(reply, " {"); ok && len(status) == 3 {
			code, _ := strconv.Atoi(status)
			w.WriteHeader(code)
			reply = "{" + body
		}
		io.WriteString(w, reply)
	})
	routes.HandleFunc("POST /tools/look", func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), "fail") {
			http.Error(w, "no light", http.StatusInternalServerError)
			return
		}
		io.WriteString(w, p.result)
	})
	srv := httptest.NewServer(routes)
	t.Cleanup(srv.Close)
	task.ID, task.BaseURL, task.APIKey, task.Model, task.System, task.Prompts, task.MaxTurns = "t1", srv.URL+p.base, "k", "m", "Be terse.", []string{"Go."}, 5
	task.Tools = []protocol.Tool{{Name: "look", URL: srv.URL + "/tools/look", Parameters: json.RawMessage(p.parameters)}}
	return refloop.Loop{Client: srv.Client(), Backoff: time.Millisecond, Threads: true}.Run(context.Background(), task), requests
}
