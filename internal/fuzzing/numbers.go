package fuzzing

import (
	"math/bits"
	"math/rand/v2"
)

// numbers are what a conversation is drawn from. The tests of the grammar draw them by a library
// that searches for the smallest counterexample.
type numbers interface {
	// flip draws one of two values, each as often as the other.
	flip(what string) bool

	// upTo draws a number from 0 to n, the small ones more often.
	upTo(n int, what string) int

	// integer draws any integer of 32 bits, the small ones more often.
	integer(what string) int32
}

// random are the numbers of a seed.
type random struct{ *rand.Rand }

func seeded(seed uint64, number int) random {
	return random{rand.New(rand.NewPCG(seed, uint64(number)))}
}

func (r random) flip(string) bool { return r.Uint64()&1 == 1 }

// upTo prefers small numbers, and draws the largest more often than its neighbours.
func (r random) upTo(n int, _ string) int {
	const few, most = 9, 31
	length := 1
	for length <= most && r.IntN(few) > 0 {
		length++
	}
	if length > most {
		return n
	}
	for {
		if drawn := r.bits(min(length, bits.Len(uint(n)))); drawn <= n {
			return drawn
		}
	}
}

func (r random) integer(what string) int32 {
	size := int32(r.bits(r.IntN(32)))
	if r.flip(what) {
		return -size
	}
	return size
}

// bits draws a number of so many bits.
func (r random) bits(n int) int { return int(r.Uint64() & (1<<n - 1)) }
