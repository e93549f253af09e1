package wire_test

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestHalves(t *testing.T) {
	for text, want := range map[string][]string{
		"":              {""},
		"a":             {"a"},
		"ab":            {"a", "b"},
		"Köln":          {"Kö", "ln"},
		"It is 4 C.":    {"It ", "is 4 C."},
		"one two three": {"one ", "two three"},
	} {
		if got := wire.Halves(text); !slices.Equal(got, want) {
			t.Errorf("the halves of %q are %q, want %q", text, got, want)
		}
	}
}
