package claims_test

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/claims"
	. "github.com/loopproof/loopproof/protocol"
)

func TestClaimsAreLimited(t *testing.T) {
	h := Hello{Features: []Feature{Streaming, "retries@json", "cancel@messages", "usage@sse*"}}
	for _, c := range []struct {
		feature           Feature
		dialect, delivery string
		want              bool
	}{
		{Streaming, "chat", "sse", true},
		{Retries, "chat", "json", true},
		{Retries, "chat", "sse", false},
		{Retries, "", "", true},
		{Cancel, "messages", "sse-bytes", true},
		{Cancel, "chat", "json", false},
		{Cancel, "chat", "", false},
		{UsageCounts, "chat", "sse-bytes", true},
		{UsageCounts, "chat", "json", false},
		{ParallelCalls, "", "", false},
		{Executions, "chat", "json", true},
	} {
		if got := claims.Has(h, c.feature, c.dialect, c.delivery); got != c.want {
			t.Errorf("%s in %q and %q is claimed: %v, want %v", c.feature, c.dialect, c.delivery, got, c.want)
		}
	}
}

func TestClaimsAreNarrowedToTheTask(t *testing.T) {
	all := func(Feature) bool { return true }
	agents := []Tool{{Name: "get_weather"}, {Name: "weather_desk", Agent: &Agent{}}}
	for _, c := range []struct {
		name string
		task Task
		not  []Feature
	}{
		{"a plain task", Task{Tools: agents[:1]}, nil},
		{"a limit of tokens", Task{ContextLimit: 100}, []Feature{WholeHistory}},
		{"a provider that makes the history shorter", Task{CompactThreshold: 50_000}, []Feature{WholeHistory}},
		{"a session", Task{Session: &Session{}}, []Feature{UsageCounts, Transcript, Events}},
		{"sub-agents", Task{Tools: agents}, []Feature{UsageCounts, Transcript, Events}},
		{"both", Task{Tools: agents, ContextLimit: 100}, []Feature{WholeHistory, UsageCounts, Transcript, Events}},
	} {
		narrowed := claims.InTask(all, c.task)
		for _, f := range append(Features(), WholeHistory) {
			if narrowed(f) == slices.Contains(c.not, f) {
				t.Errorf("%s: %s is claimed: %v", c.name, f, narrowed(f))
			}
		}
	}
}
