// Package linear is for tests of what reads the input of others: its cost may only grow as the
// input does.
//
//	linear.Check(t, func(n int) func() {
//		body := requestWithCalls(n)
//		return func() { read(body) }
//	})
//
// The cost is the processor time of one thread, without garbage collection, and of each size the
// least of several: a busy machine makes it longer, never shorter.
package linear

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

const (
	// long is how long the smaller work takes at least, so that it can be measured.
	long = time.Millisecond

	// larger is how much larger the larger work is.
	larger = 8

	// most is how many times as long the larger work may take. What is linear takes eight times as
	// long, up to three times that where memory is slower than caches are and other programs use
	// it, and what is quadratic 64 times.
	most = 28

	// tries is how often both are measured until the result is good.
	tries = 8

	// largest is the largest size of the smaller work.
	largest = 1 << 20
)

// Check fails the test if work takes more than in proportion to its size. made returns the work of
// a size, which can be done again.
func Check(t testing.TB, made func(size int) func()) {
	t.Helper()
	if !measures {
		t.Skip("only Linux says how much processor time a thread took")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	size := 64
	small := made(size)
	one := cost(small)
	for one < long && size < largest {
		size *= 2
		small = made(size)
		one = cost(small)
	}
	large := made(larger * size)
	many := cost(large)
	for try := 1; many > most*one && try < tries; try++ {
		runtime.GC() // so that memory is used again, and not asked of the system: a busy one takes long to give it
		one, many = min(one, cost(small)), min(many, cost(large))
	}
	runtime.GC()
	if many > most*one {
		t.Errorf("%v for a size of %d, and %v for %d: %.1f times as long", one, size, many, larger*size, float64(many)/float64(one))
	}
}

func cost(work func()) time.Duration {
	before := threadTime()
	work()
	return threadTime() - before
}
