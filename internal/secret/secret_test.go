package secret_test

import (
	"strings"
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

// Each form is found, be it all that the text has to show.
func TestForms(t *testing.T) {
	long := strings.Repeat("Ab0", 12)
	for _, key := range []string{
		"sk-" + long, "ghp_" + long, "gho_" + long, "ghu_" + long, "ghs_" + long, "ghr_" + long, "github_pat_" + long,
		"AKIA" + strings.Repeat("A", 16), "AIza" + long, "xoxa-" + long, "xoxb-" + long, "xoxp-" + long, "xoxr-" + long, "xoxs-" + long,
		"hf_" + long, "gsk_" + long, "r8_" + long, "xai-" + long, "pplx-" + long, "csk-" + long, "nvapi-" + long, "glpat-" + long,
		"npm_" + long, "sk_live_" + long, "rk_live_" + long, "eyJ" + long + ".eyJ" + long + "." + long,
	} {
		if got := secret.Redact("key="+key, "*"); got != "key=*" {
			t.Errorf("Redact(key=%s) = %q", key, got)
		}
	}
	for _, text := range []string{"bEaReR ", "sEt-CoOkIe: ", "redis://:"} {
		end := ""
		if strings.HasSuffix(text, "://:") {
			end = "@host"
		}
		if got := secret.Redact(text+long+end, "*"); got != text+"*"+end {
			t.Errorf("Redact(%s...%s) = %q", text, end, got)
		}
	}
}
