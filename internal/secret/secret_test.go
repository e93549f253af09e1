package secret_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

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
		"npm_" + long, "sk_live_" + long, "rk_live_" + long, "sk_test_" + long, "rk_test_" + long, "whsec_" + long + "==", "AQ." + long, "ya29." + long,
		"ASIA" + strings.Repeat("A", 16), "fw_" + long, "tvly-dev-" + long, "SG." + long + "." + long, "dapi" + strings.Repeat("0a", 16), "xapp-1-" + long, "lsv2_pt_" + long, "pcsk_" + long, "eyJ" + long + ".eyJ" + long + "." + long,
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

const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP\nQRSTUVWX0123456789+/abc=\n-----END RSA PRIVATE KEY-----"

// A private key is found whole, also in JSON and where it breaks off.
func TestPrivateKeys(t *testing.T) {
	inJSON := strings.ReplaceAll(pem, "\n", `\n`)
	for text, want := range map[string]string{
		"a " + pem + " b":                                 "a * b",
		`{"k":"` + inJSON + `"}`:                          `{"k":"*"}`,
		`"` + strings.ReplaceAll(inJSON, `\`, `\\`) + `"`: `"*"`,
		"a " + pem[:80]:                                   "a *",
		"a line -----BEGIN PRIVATE KEY----- begins a key": "a line -----BEGIN PRIVATE KEY----- begins a key",
		`HasPrefix(s, "-----BEGIN PRIVATE KEY-----")`:     `HasPrefix(s, "-----BEGIN PRIVATE KEY-----")`,
	} {
		if got := secret.Redact(text, "*"); got != want {
			t.Errorf("Redact(%q) = %q, want %q", text, got, want)
		}
	}
}

// Keys are found behind escapes, and in base64.
func TestEncodedForms(t *testing.T) {
	key := "fw_" + strings.Repeat("Ab0", 12)
	for text, want := range map[string]string{
		`{"a":"x\n` + key + `"}`: `{"a":"x\n*"}`,
		"?q=a%20" + key + "&b=c": "?q=a%20*&b=c",
		"u=" + base64.StdEncoding.EncodeToString([]byte("key: "+key+"\n")): "u=*",
		base64.RawURLEncoding.EncodeToString([]byte("?>?"+key)) + " ends":  "* ends",
	} {
		if got := secret.Redact(text, "*"); got != want {
			t.Errorf("Redact(%q) = %q, want %q", text, got, want)
		}
	}
}

// The keys of a client are found wherever it repeats them, whatever they look like and however they
// are written.
func TestKeysOfARequest(t *testing.T) {
	const key, password = "my/odd+key =42", "correct horse"
	h := http.Header{}
	h.Set("cf-aig-authorization", "Bearer "+key)
	h.Set("X-My-Proxy-Key", "proxy-value-1")
	h.Set("Cookie", "theme=dark; session=abcdef123456")
	h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("user:"+password)))
	h.Set("Content-Type", "application/json")
	u, err := url.Parse("/v1?key=query-value-1&alt=sse-and-more")
	if err != nil {
		t.Fatal(err)
	}
	keys := secret.Of(h, u)
	for _, hidden := range []string{key, "proxy-value-1", "abcdef123456", password, "query-value-1"} {
		for _, form := range []string{
			hidden, url.QueryEscape(hidden), url.PathEscape(hidden), strings.ToLower(url.QueryEscape(hidden)), strings.ReplaceAll(hidden, "/", `\/`),
			base64.StdEncoding.EncodeToString([]byte(hidden)), base64.StdEncoding.EncodeToString([]byte("a" + hidden + "z")),
			base64.URLEncoding.EncodeToString([]byte("ab" + hidden + "zz")), base64.RawStdEncoding.EncodeToString([]byte("abc" + hidden)),
		} {
			if strings.ToLower(hidden) != hidden && form == strings.ToLower(form) {
				continue
			}
			if got := keys.Redact("<"+form+">", "*"); got != "<*>" {
				t.Errorf("%s, written as %s: %s", hidden, form, got)
			}
		}
	}
	const text = "The dark user asked for application/json and sse-and-more."
	if got := keys.Redact(text, "*"); got != text {
		t.Errorf("got %s", got)
	}
}

// Ordinary text and code are left alone.
func TestNoFalseKeys(t *testing.T) {
	for _, text := range []string{
		"class sk-circle-fade-delay-container of a spinner, and sk-estimator-doc-link of scikit-learn",
		"fw_update_all_the_things() and hf_hub_download, npm_config_registry, r8_to_r16, dapi_version, gsk_widget_new",
		"ASIA and AFRICA, ASIAPACIFIC, SG.md, SG.config.json, AQ.1, the AQ. of a form; ya29 is a plane",
		"Cookies are eaten. The bearer of this letter is John. A bearer token authenticates.",
		"tvly-search is a tool; whsec_ begins a secret of webhooks; sk_test_ that of tests.",
		"https://example.com/a/very/long/path/with/many/parts/and-even-more-of-them/index.html?x=1",
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0x89, 'P', 'N', 'G', 0, 1, 2, 3}, 100)),
		"sha256:2981696eed011d747340d7252620932677929cce7d2d539602f56a8d7e9b660b 5a2ce3f5b92ee19cbb1541a4984c76d921601d7c",
		"call_yanh5bZUGfPZLoojXurnr88u5 toolu_01A09q90qw90lq917835lq9 resp_992ffefde693ef0fa258f781a0f51c04d0755262 chatcmpl-zCs0fh3AtvGOGaIKicwwEQVGxqQoN",
		"task-1234567890123456 disk-0123456789abcdef0 risk-assessment-2024-report-final-version",
	} {
		if got := secret.Redact(text, "*"); got != text {
			t.Errorf("%s\nbecomes %s", text, got)
		}
	}
}

// The time grows with the size, whatever a text is made of.
func TestLinear(t *testing.T) {
	keys := secret.Keys{"aaaaaaaaaaaab", strings.Repeat("=", 40)}
	for _, piece := range []string{"a", "sk-", "eyJ", "eyJaaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----\n", "AAAAAAAAAAAAAAAA\n", "%20", `\n`, "://a:", "cookie: ", "bearer ", "=", "YWJj ", "SG.aaaaaaaaaaaaaaaa."} {
		cost := func(size int) time.Duration {
			text := strings.Repeat(piece, size/len(piece))
			best := time.Hour
			for range 3 {
				start := time.Now()
				keys.Redact(text, "*")
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := cost(20_000), cost(160_000)
		if large > 24*small+50*time.Millisecond {
			t.Errorf("%q: 20 kB take %v, and 160 kB %v", piece, small, large)
		}
	}
}
