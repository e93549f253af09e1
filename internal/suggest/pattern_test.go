package suggest_test

import (
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/suggest"
)

func TestPatternHint(t *testing.T) {
	rules := []string{"pairing/every-call-answered", "pairing/ids-distinct", "history/only-grows"}
	cases := []string{"pairing/two-tools@chat/openai/sse", "pairing/two-tools@messages/anthropic/json", "history/two-prompts@chat/openai/json"}
	tests := []struct {
		pattern, want string
		known         []string
	}{
		{"paring/*", ` (did you mean "pairing/*"?)`, rules},
		{"paring/**", ` (did you mean "pairing/**"?)`, rules},
		{"pairing/ids-distnct*", ` (did you mean "pairing/ids-distinct*"?)`, rules},
		{"pairing/every-call-answerd", ` (did you mean "pairing/every-call-answered"?)`, rules},
		{"hystory/*", ` (did you mean "history/*"?)`, rules},
		{"paring/*@*/**", ` (did you mean "pairing/*@*/**"?)`, cases},
		{"pairing/two-tolls@chat/openia/*", ` (did you mean "pairing/two-tools@chat/openai/*"?)`, cases},
		{"opnai*", ` (did you mean "openai*"?)`, []string{"openai", "mistral"}},
		{"zebra/*", "", rules},
		{"**/nothing-like-it-at-all", "", rules},
		{"pairing/*", "", nil},
	}
	for _, tt := range tests {
		got := suggest.PatternHint(tt.pattern, tt.known, doublestar.MatchUnvalidated)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.pattern, got, tt.want)
		}
	}
}
