package runner

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/report"
)

// BenchmarkSuite plays everything to the reference loop as a Func, and then what there is in
// each dialect.
//
//	go test ./internal/runner -run '^$' -bench Suite -benchtime 5x
func BenchmarkSuite(b *testing.B) {
	b.Run("all", func(b *testing.B) { playSuite(b, nil) })
	for _, d := range dialect.All() {
		b.Run(d.Name, func(b *testing.B) { playSuite(b, []string{d.Name}) })
	}
}

func playSuite(b *testing.B, dialects []string) {
	cases := 0
	for b.Loop() {
		r, err := Play(b.Context(), Config{Loop: loops.Func(reference), Seed: 41, ToolServer: toolserver.ForRun, Claims: loops.Claims{Features: referenceClaims, Dialects: dialects}})
		if err != nil || r.Result != report.Conformant {
			b.Fatal(r, err)
		}
		cases += len(r.Cases)
	}
	b.ReportMetric(float64(cases)/b.Elapsed().Seconds(), "cases/s")
}
