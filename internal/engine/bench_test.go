package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// The request and the answer that are measured: one user message, eight words back.
const (
	plainBody     = `{"model":"loopproof","messages":[{"role":"user","content":"Say hello in eight words."}]}`
	plainScenario = "loopproof: 1\ntitle: t\nprompt: Say hello in eight words.\nmodel:\n  - text: Hello from the mock server, eight words\n"
)

func parse(tb testing.TB, text string) *scenarios.Scenario {
	tb.Helper()
	s, err := scenarios.Parse("bench.yaml", []byte(text), scenarios.Vocabulary{Rules: rulebook.IDs()})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkHandler measures the handler alone, without a network: its allocations do not depend on the machine.
//
//	go test ./internal/engine -run '^$' -bench Handler -benchmem -benchtime 2000x
func BenchmarkHandler(b *testing.B) {
	p := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{parse(b, plainScenario)}})
	for _, stream := range []string{"false", "true"} {
		body := strings.Replace(plainBody, `{`, `{"stream":`+stream+`,`, 1)
		b.Run("stream="+stream, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := serve(p, body); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
