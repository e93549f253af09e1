package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// growingTurns is how many turns a conversation has at the end that grows.
const growingTurns = 300

// BenchmarkGrowing measures a conversation that is sent anew at each of its turns, as an agent does
// it. In its last third as much is new as in the first one: last/first says what the old costs.
//
//	go test ./internal/engine -run '^$' -bench Growing -benchmem
func BenchmarkGrowing(b *testing.B) {
	profile, err := profiles.Get("openai")
	if err != nil {
		b.Fatal(err)
	}
	scenario := parse(b, "loopproof: 1\ntitle: t\nmodel:\n  - text: Fine.\n")
	bodies := make([]string, growingTurns)
	for i := range bodies {
		bodies[i] = history(i+1, (i+1)*1000)
	}
	var thirds [3]time.Duration
	b.ReportAllocs()
	number := 0
	p := engine.New(engine.Config{Profile: profile, Scenarios: []*scenarios.Scenario{scenario}})
	for b.Loop() {
		number++
		for i, body := range bodies {
			body = strings.Replace(body, "What is the weather?", fmt.Sprintf("What is the weather in %08d?", number), 1)
			r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer bench")
			w := dropped{header: http.Header{}}
			start := time.Now()
			if p.ServeHTTP(&w, r); w.status != http.StatusOK {
				b.Fatal(fmt.Sprint(w.status))
			}
			thirds[i*3/len(bodies)] += time.Since(start)
		}
	}
	b.ReportMetric(thirds[2].Seconds()/thirds[0].Seconds(), "last/first")
	b.ReportMetric(float64(thirds[0].Microseconds())/float64(number*growingTurns/3), "first-µs/request")
	b.ReportMetric(float64(thirds[2].Microseconds())/float64(number*growingTurns/3), "last-µs/request")
}
