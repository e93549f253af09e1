package runner

import "testing"

// TestStopReason: the reason for stopping early is that the loop hung, or that it crashed.
func TestStopReason(t *testing.T) {
	for _, c := range []struct {
		name string
		job  *job
		want string
	}{
		{"there is hope", &job{hung: []string{"a", "b"}}, ""},
		{"it hung", &job{hung: []string{"a", "b", "c"}}, "the loop hung in 3 cases in a row: a, b, c"},
		{"it crashed too often", &job{givenUp: true}, "the loop ended early and is not started again"},
	} {
		if got := c.job.stopReason(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
