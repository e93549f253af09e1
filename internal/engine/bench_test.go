package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
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

// BenchmarkHandler measures the handler alone, without a network: its allocations do not depend on
// the machine. It is sent the same request again and again.
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
		b.Run(request.name, func(b *testing.B) { measure(b, all, request) })
	}
}

// BenchmarkHistory measures how fast a long conversation is read and judged: what grows is its
// bytes, its turns, or both.
//
//	go test ./internal/engine -run '^$' -bench History -benchmem
func BenchmarkHistory(b *testing.B) {
	profile, err := profiles.Get("openai")
	if err != nil {
		b.Fatal(err)
	}
	scenario := parse(b, "loopproof: 1\ntitle: t\nmodel:\n  - text: Fine.\n")
	for _, h := range []struct {
		name         string
		turns, bytes int
	}{{"10-kB", 10, 10_000}, {"1-MB", 100, 1_000_000}, {"1-MB-1000-turns", 1000, 1_000_000}} {
		b.Run(h.name, func(b *testing.B) {
			p := engine.New(engine.Config{Profile: profile, Scenarios: []*scenarios.Scenario{scenario}})
			body := history(h.turns, h.bytes)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			sent := []byte(body)
			for number := 0; b.Loop(); number++ {
				copy(sent[strings.Index(body, "What is"):], strconv.Itoa(1e6+number)) // another conversation, of which nothing is known
				r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", bytes.NewReader(sent))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Authorization", "Bearer bench")
				w := dropped{header: http.Header{}}
				if p.ServeHTTP(&w, r); w.status != http.StatusOK {
					b.Fatal(fmt.Sprint(w.status))
				}
			}
		})
	}
}

// history returns a request of so many turns, each with a call and its result, and of about so many
// bytes.
func history(turns, size int) string {
	const line = `The weather in Oslo is fine, and \"the ferry\" leaves at ten.\n`
	var b strings.Builder
	b.WriteString(`{"model":"loopproof","messages":[{"role":"user","content":"What is the weather?"}`)
	for i := range turns {
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"day\":%d}"}}]},{"role":"tool","tool_call_id":"call_%d","content":"`, i, i, i)
		for spare := size/turns - 240; spare > 0; spare -= len(line) {
			b.WriteString(line)
		}
		b.WriteString(`"}`)
	}
	b.WriteString(`],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"integer"}}}}}]}`)
	return b.String()
}

func measure(b *testing.B, played []*profiles.Profile, request plainRequest) {
	p := engine.New(engine.Config{Profile: played[0], ExtraProfiles: played[1:], Scenarios: []*scenarios.Scenario{parse(b, plainScenario)}})
	r := httptest.NewRequest(http.MethodPost, request.path, nil)
	for name, value := range map[string]string{"Content-Type": "application/json", "Authorization": "Bearer bench", "Anthropic-Version": "2023-06-01", "User-Agent": "bench"} {
		r.Header.Set(name, value)
	}
	body, sent := bytes.NewReader(nil), []byte(request.body)
	b.ReportAllocs()
	for b.Loop() {
		body.Reset(sent)
		r.Body, r.ContentLength = io.NopCloser(body), int64(len(sent))
		w := dropped{header: http.Header{}}
		if p.ServeHTTP(&w, r); w.status != http.StatusOK {
			b.Fatal(fmt.Sprint(w.status))
		}
	}
}
