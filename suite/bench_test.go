package suite

import (
	"testing"

	"github.com/loopproof/loopproof/report"
)

// BenchmarkSuite plays everything to the reference loop through the Func door.
//
//	go test ./suite -run '^$' -bench Suite -benchtime 5x
func BenchmarkSuite(b *testing.B) {
	cases := 0
	for b.Loop() {
		r, err := Play(b.Context(), Config{Loop: LoopFunc(reference), Features: referenceClaims, Seed: 41})
		if err != nil || r.Result != report.Conformant {
			b.Fatal(r, err)
		}
		cases += len(r.Cases)
	}
	b.ReportMetric(float64(cases)/b.Elapsed().Seconds(), "cases/s")
}
