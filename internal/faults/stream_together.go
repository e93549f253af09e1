package faults

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// chokes makes a loop that cannot read a stream with a payload of some kind; n is the number of the payload.
func chokes(on func(n int, payload string) bool) func() Changes {
	return onStream(func(a *raw.Answer) {
		for n, p := range a.Payloads {
			if on(n, p) {
				a.Payloads = []string{"undefined is not an object"}
				return
			}
		}
	})
}
