package claims_test

import (
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
