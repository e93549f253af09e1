package report

import "testing"

// Errors are of the same kind if they differ only in numbers, ids and what is quoted.
func TestErrorKey(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"the loop failed: timeout after 1003 ms", "the loop failed: timeout after 998 ms", true},
		{"the loop failed: timeout after 1.5 s", "the loop failed: timeout after 0.25 s", true},
		{"the loop failed: no session 1d9d004c-a79b-4744-a77d-6b8d15440822", "the loop failed: no session f0000000-aaaa-bbbb-cccc-6b8d15440822", true},
		{"the loop failed: no choice in chunk_17", "the loop failed: no choice in chunk_4", true},
		{"the loop failed: KeyError: 'get_time'", "the loop failed: KeyError: 'get_weather'", true},
		{`the loop failed: no tool "a" for "What's up?"`, `the loop failed: no tool "b \"c\"" for "It's 5' long"`, true},
		{"the loop failed: no tool `a`", "the loop failed: no tool `b`", true},
		{"the loop failed: can't find 'a'", "the loop failed: can't find 'b'", true},
		{"the loop failed: can't find it, or don't want it", "the loop failed: can't lose it, or don't want it", false},
		{"the loop failed: KeyError: 'a'", "the loop failed: TypeError: 'a'", false},
		{"the loop failed: timeout after 3 ms", "the loop crashed: timeout after 3 ms", false},
		{"the loop failed: timeout after 3 ms", "the loop failed: refused after 3 ms", false},
	} {
		if a, b := errorKey(c.a), errorKey(c.b); (a == b) != c.same {
			t.Errorf("%q and %q are of the same kind: %t, want %t; their keys are %q and %q", c.a, c.b, a == b, c.same, a, b)
		}
	}
	for _, nothing := range []string{"", "the loop failed", "the loop failed: "} {
		if key := errorKey(nothing); key != "" {
			t.Errorf("%q has the key %q", nothing, key)
		}
	}
}
