package linear

import (
	"time"

	"golang.org/x/sys/unix"
)

// measures says whether the processor time of a thread is known.
const measures = true

// threadTime returns how much processor time the thread has taken.
func threadTime() time.Duration {
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		panic(err) // which only a wrong argument causes
	}
	return time.Duration(used.Nano())
}
