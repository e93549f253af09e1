package engine_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// The conversation that is measured: two prompts, of which the second is asked.
const (
	plainScenario = "loopproof: 1\ntitle: t\nprompts: [Say hello., Say it again in eight words.]\nmodel:\n  - text: Hello.\n  - text: Hello from the mock server, eight words\n"
	plainMessages = `{"role":"user","content":"Say hello."},{"role":"assistant","content":"Hello."},{"role":"user","content":"Say it again in eight words."}`
)

const plainBody = `{"model":"loopproof","messages":[` + plainMessages + `]}`

// plainRequest is a request to a path.
type plainRequest struct{ name, path, body string }

// plainRequests are the requests of the conversation in each wire API.
var plainRequests = []plainRequest{
	{"chat", "/v1/chat/completions", plainBody},
	{"chat-stream", "/v1/chat/completions", `{"model":"loopproof","stream":true,"messages":[` + plainMessages + `]}`},
	{"messages", "/v1/messages", `{"model":"loopproof","max_tokens":1000,"messages":[` + plainMessages + `]}`},
	{"responses", "/v1/responses", `{"model":"loopproof","store":false,"input":[` + plainMessages + `]}`},
	{"gemini", "/v1beta/models/loopproof:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Say hello."}]},{"role":"model","parts":[{"text":"Hello."}]},{"role":"user","parts":[{"text":"Say it again in eight words."}]}]}`},
}

func parse(tb testing.TB, text string) *scenarios.Scenario {
	tb.Helper()
	s, err := scenarios.Parse("bench.yaml", []byte(text), scenarios.Vocabulary{Rules: rulebook.IDs()})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// dropped is a response of which only the status is kept.
type dropped struct {
	header http.Header
	status int
}

func (w *dropped) Header() http.Header         { return w.header }
func (w *dropped) Write(b []byte) (int, error) { return len(b), nil }
func (w *dropped) WriteHeader(status int)      { w.status = status }
func (w *dropped) Flush()                      {}

// BenchmarkHandler measures the handler alone, without a network: its allocations do not depend on the machine.
//
//	go test ./internal/engine -run '^$' -bench Handler -benchmem
func BenchmarkHandler(b *testing.B) {
	var all []*profiles.Profile
	for _, name := range []string{"openai", "anthropic", "openai-responses", "gemini-3"} {
		profile, err := profiles.Get(name)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, profile)
	}
	for _, request := range plainRequests {
		b.Run(request.name, func(b *testing.B) {
			p := engine.New(engine.Config{Profile: all[0], ExtraProfiles: all[1:], Scenarios: []*scenarios.Scenario{parse(b, plainScenario)}})
			r := httptest.NewRequest(http.MethodPost, request.path, nil)
			for name, value := range map[string]string{"Content-Type": "application/json", "Authorization": "Bearer bench", "Anthropic-Version": "2023-06-01", "User-Agent": "bench"} {
				r.Header.Set(name, value)
			}
			body := strings.NewReader("")
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(request.body)
				r.Body, r.ContentLength = io.NopCloser(body), int64(len(request.body))
				w := dropped{header: http.Header{}}
				if p.ServeHTTP(&w, r); w.status != http.StatusOK {
					b.Fatal(fmt.Sprint(w.status))
				}
			}
		})
	}
}
