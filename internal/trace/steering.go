package trace

import "time"

// Steering is what the user said while the tools of a turn ran.
type Steering struct {
	Request int           // number of the request in whose answer the tools were called
	Prompt  int           // its index among the prompts of the task
	At      time.Duration // when the loop was told, since the start of the run
}
