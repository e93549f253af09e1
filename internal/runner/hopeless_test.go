package runner

import "testing"

// TestHopeless: why a loop is given up is told as it is, be it that it hung or that it crashed.
func TestHopeless(t *testing.T) {
	for _, c := range []struct {
		name string
		game *game
		want string
	}{
		{"there is hope", &game{hung: []string{"a", "b"}}, ""},
		{"it hung", &game{hung: []string{"a", "b", "c"}}, "the loop hung in 3 cases in a row: a, b, c"},
		{"it crashed too often", &game{givenUp: true}, "the loop ended early and is not started again"},
	} {
		if got := c.game.hopeless(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
