package secret_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/secret"
)

func TestRedact(t *testing.T) {
	for text, want := range map[string]string{
		"nothing to hide": "nothing to hide",
		"key sk-proj-0123456789abcdef0 and hf_0123456789abcdefghij.": "key * and *.",
		"Authorization: Bearer sk-proj-0123456789abcdef0":            "Authorization: Bearer *",
		"https://user:pass@example.com/v1":                           "https://user:*@example.com/v1",
		"Cookie: session=1; other=2":                                 "Cookie: *",
	} {
		if got := secret.Redact(text, "*"); got != want {
			t.Errorf("Redact(%q) = %q, want %q", text, got, want)
		}
	}
}
