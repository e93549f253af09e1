package runner

import (
	"testing"

	"github.com/loopproof/loopproof/report"
)

// BenchmarkSuite plays everything to the reference loop as a LoopFunc.
//
//	go test ./internal/runner -run '^$' -bench Suite -benchtime 5x
func BenchmarkSuite(b *testing.B) {
	cases := 0
	for b.Loop() {
		r, err := Play(b.Context(), Config{Loop: LoopFunc(reference), Seed: 41, Claims: Claims{Features: referenceClaims}})
		if err != nil || r.Result != report.Conformant {
			b.Fatal(r, err)
		}
		cases += len(r.Cases)
	}
	b.ReportMetric(float64(cases)/b.Elapsed().Seconds(), "cases/s")
}
