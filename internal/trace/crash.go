package trace

import (
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// Crash is how the process of a loop was killed, as the scenario wants it. What it asked for in that
// moment has no answer.
type Crash struct {
	Turn    *scenarios.Turn // during which
	Request int             // number of the request that the turn answers
	At      time.Duration   // when, since the start of the run

	// Restarted is when the loop was given the session again, since the start of the run; 0: never.
	Restarted time.Duration

	// Resumed is the number of the first request of the conversation since then; 0: there was none.
	Resumed int
}
