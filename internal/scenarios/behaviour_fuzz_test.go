package scenarios_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// Whatever a request asks for as the behaviour of the provider, it is one or the error says where
// it is wrong. The braces may be left away.
func FuzzBehaviours(f *testing.F) {
	for _, text := range []string{
		"first-token: 2s, jitter: 20%", "{chunk: 1}", "faults: [{rate: 5%, status: 503}, {cut: {after: 2 events}}]\nseed: 7", "rate-limit: {requests: 1, per: 1ns}", "first-token: 1h, bytes-per-second: 1", "jitter: NaN", "}{", "ids: unique # x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := scenarios.ParseBehaviour("b", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "b:") {
				t.Errorf("the error does not say where: %v", err)
			}
			return
		}
		if bare := strings.TrimSpace(text); !strings.HasPrefix(bare, "{") && !strings.Contains(bare, "\n") {
			braced, err := scenarios.ParseBehaviour("b", "{"+bare+"}")
			if err != nil || !reflect.DeepEqual(b, braced) {
				t.Errorf("in braces it is %+v, %v, and %+v without", braced, err, b)
			}
		}
		if b.Jitter != nil && !(*b.Jitter >= 0 && *b.Jitter <= 1) {
			t.Errorf("the jitter is %v", *b.Jitter)
		}
		(&scenarios.Behaviour{}).Over(b).Over(b)
	})
}
