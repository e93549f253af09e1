package faults

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// onStream makes a fault that changes streamed answers.
func onStream(change func(*raw.Answer)) func() Changes {
	return onRawAnswer(func(a *raw.Answer) {
		if a.Streamed {
			change(a)
		}
	})
}
