package scenarios_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestQuirksThatNobodyShowsTogether: each has a profile, but no profile has both.
func TestQuirksThatNobodyShowsTogether(t *testing.T) {
	text := "loopproof: 1\ntitle: Test\nprompt: Go.\nmodel:\n  - text: a\n    quirks: [slow]\n  - text: b\n    quirks: [call-index-missing, nulls]\n"
	_, err := scenarios.Parse("x.yaml", []byte(text), vocabulary)
	if want := "x.yaml:8:34: none of the profiles that show the quirks before it shows nulls; it is shown by openai"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
