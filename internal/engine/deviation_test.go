package engine

import (
	"math"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// A deviation draws the waits from a normal distribution, the same for the same seed.
func TestDeviation(t *testing.T) {
	const mean, n = 100 * time.Millisecond, 2000
	narrow, wide := scenarios.Share(0.2), scenarios.Share(1)
	m := &responsePlan{behaviour: scenarios.Behaviour{Deviation: &narrow}, dice: dice(nil, conversationKey{}, 1)}
	sum, squares, far := 0.0, 0.0, 0
	for range n {
		d := float64(m.jittered(mean)-mean) / float64(mean)
		sum, squares = sum+d, squares+d*d
		if math.Abs(d) > 0.2 {
			far++
		}
	}
	if avg, deviation := sum/n, math.Sqrt(squares/n); math.Abs(avg) > 0.02 || math.Abs(deviation-0.2) > 0.02 || far < n/4 || far > n*2/5 {
		t.Errorf("the mean is off by %.3f, the deviation is %.3f, and %d of %d are beyond it", avg, deviation, far, n)
	}
	m.behaviour.Deviation = &wide
	for range n {
		if m.jittered(mean) < 0 {
			t.Fatal("a wait is shorter than none")
		}
	}
}
