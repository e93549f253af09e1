package conformance_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/conformance"
)

// TestOf: a verdict counts for the highest level of the rule, the scenario and the way in which the
// answers came.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		rule, scenario string
		streamed       bool
		want           string
	}{
		{"pairing/every-call-answered", "pairing/single-call", false, conformance.Core},
		{"pairing/every-call-answered", "pairing/single-call", true, conformance.Streaming},
		{"pairing/every-call-answered", "reasoning/kept", true, conformance.Reasoning},
		{"pairing/every-call-answered", "retry/overloaded", false, conformance.Resilience},
		{"retry/waits", "pairing/single-call", false, conformance.Resilience},
		{"compaction/ends", "retry/overloaded", false, conformance.LongRunning},
		{"pairing/every-call-answered", "mine/refunds", false, conformance.Core},
	} {
		if got := conformance.Of(c.rule, c.scenario, c.streamed); got != c.want {
			t.Errorf("%s in %s (streamed: %v) counts for %s, want %s", c.rule, c.scenario, c.streamed, got, c.want)
		}
	}
}
