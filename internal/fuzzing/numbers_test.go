package fuzzing

import "testing"

// TestRandomNumbers: small numbers are drawn more often than large ones, each that can be drawn is,
// and none beyond.
func TestRandomNumbers(t *testing.T) {
	from, heads, negative := seeded(41, 1), 0, 0
	counts := make([]int, 12)
	for range 10_000 {
		counts[from.upTo(11, "number")]++
		if from.flip("side") {
			heads++
		}
		if from.integer("integer") < 0 {
			negative++
		}
	}
	for n, count := range counts {
		if count < 200 {
			t.Errorf("%d was drawn %d times of 10000", n, count)
		}
	}
	if counts[0] < counts[10] || counts[1] < counts[10] {
		t.Errorf("small numbers are not drawn more often: %v", counts)
	}
	if heads < 4800 || heads > 5200 || negative < 4400 || negative > 5200 {
		t.Errorf("%d heads and %d negative integers of 10000", heads, negative)
	}
	if from.upTo(0, "nothing to choose") != 0 {
		t.Error("a number up to 0 is not 0")
	}
}
