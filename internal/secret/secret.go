// Package secret finds what looks like a key of an API in a text, by the forms of widespread ones.
//
//	clean := secret.Redact(body, "(redacted)")
package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// forms are those of widespread keys: how each begins, and how it continues. Those of gitleaks
// (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml) have the same beginnings.
var forms = []struct{ begins, goesOn string }{
	{"sk-", `[A-Za-z0-9_-]{16,}`}, // OpenAI, Anthropic, OpenRouter, DeepSeek and others
	{"ghp_", `[A-Za-z0-9]{20,}`},
	{"gho_", `[A-Za-z0-9]{20,}`},
	{"ghu_", `[A-Za-z0-9]{20,}`},
	{"ghs_", `[A-Za-z0-9]{20,}`},
	{"ghr_", `[A-Za-z0-9]{20,}`},
	{"github_pat_", `[A-Za-z0-9_]{20,}`},
	{"AKIA", `[0-9A-Z]{16}\b`},
	{"ASIA", `[0-9A-Z]{16}\b`},
	{"AIza", `[0-9A-Za-z_-]{30,}`},
	{"AQ.", `[0-9A-Za-z_-]{30,}`},   // Google, since 2025
	{"ya29.", `[0-9A-Za-z_-]{20,}`}, // an access token of Google
	{"xox", `[abeprs]-[A-Za-z0-9-]{10,}`},
	{"xapp-", `[A-Za-z0-9-]{20,}`},
	{"hf_", `[A-Za-z0-9]{20,}`},
	{"gsk_", `[A-Za-z0-9]{20,}`},
	{"r8_", `[A-Za-z0-9]{20,}`},
	{"xai-", `[A-Za-z0-9]{20,}`},
	{"pplx-", `[A-Za-z0-9]{20,}`},
	{"csk-", `[A-Za-z0-9]{20,}`},
	{"nvapi-", `[A-Za-z0-9_-]{20,}`},
	{"fw_", `[A-Za-z0-9]{20,}`},         // Fireworks
	{"tvly-", `[A-Za-z0-9-]{16,}`},      // Tavily
	{"dapi", `[0-9a-f]{32}(?:-[0-9])?`}, // Databricks
	{"lsv2_", `[A-Za-z0-9_]{20,}`},      // LangSmith
	{"pcsk_", `[A-Za-z0-9_]{20,}`},      // Pinecone
	{"glpat-", `[A-Za-z0-9_-]{20,}`},
	{"npm_", `[A-Za-z0-9]{30,}`},
	{"sk_live_", `[A-Za-z0-9]{16,}`},
	{"rk_live_", `[A-Za-z0-9]{16,}`},
	{"sk_test_", `[A-Za-z0-9]{16,}`},
	{"rk_test_", `[A-Za-z0-9]{16,}`},
	{"whsec_", `[A-Za-z0-9+/]{20,}={0,2}`},
	{"SG.", `[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`}, // SendGrid
	{"eyJ", `[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`},
}

// pemBegins is how a private key in PEM begins, and pemKey all of it: also inside of a JSON text,
// where ends of lines are written as \n, and where it breaks off.
const (
	pemBegins = "PRIVATE KEY"
	lineEnd   = `(?:\\{1,4}[rn]|\s)*`
	pemKey    = `-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:` + lineEnd + `[A-Za-z-]+: [A-Za-z0-9,. -]+)*(?:` + lineEnd +
		`[A-Za-z0-9+/=]{16,})+(?:` + lineEnd + `[A-Za-z0-9+/=]+)?(?:` + lineEnd + `-----END [A-Z0-9 ]{0,40}-----)?`
)

// shapes finds any of the forms. A key may follow an escape of JSON or of a URL, whose letters are
// none of it.
var shapes = sync.OnceValue(func() *regexp.Regexp {
	all := make([]string, len(forms))
	for i, f := range forms {
		all[i] = regexp.QuoteMeta(f.begins) + f.goesOn
	}
	return regexp.MustCompile(`(?:\b|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(` + strings.Join(all, "|") + `)|(` + pemKey + `)`)
})

// The least lengths of a part of a key, without - and _ in it, by which it differs from a name: one
// with a digit, and one of letters alone.
const (
	partWithDigit  = 8
	partOfLetters  = 20
	partsOfLetters = "-_."
)

// isRandom reports whether a text in the form of a key looks like one, and not like a name such as
// sk-circle-fade-delay.
func isRandom(text string) bool {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(partsOfLetters, r) }) {
		if len(part) >= partOfLetters || len(part) >= partWithDigit && strings.ContainsAny(part, "0123456789") {
			return true
		}
	}
	return false
}

// mayHaveShapes and mayHaveEmbedded tell quickly of most texts that there is nothing to find in
// them.
func mayHaveShapes(text string) bool {
	for _, f := range forms {
		for from := 0; ; {
			i := strings.Index(text[from:], f.begins)
			if i < 0 {
				break
			}
			if from += i; begins(text, from) {
				return true
			}
			from += len(f.begins)
		}
	}
	return strings.Contains(text, pemBegins)
}

// begins reports whether a word may begin at a place in a text: not within one, such as sk- in
// task-, but for an escape.
func begins(text string, at int) bool {
	if at == 0 || !isWord(text[at-1]) {
		return true
	}
	before := text[max(0, at-6):at]
	return strings.ContainsAny(before, `\%`)
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func mayHaveEmbedded(text string) bool {
	if strings.Contains(text, "://") {
		return true
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, "bearer") || strings.Contains(lower, "cookie:")
}

// embedded are secrets inside of something else, which stays: a bearer token in prose, the password
// of a URL, the value of a cookie.
var embedded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bbearer[ \t]+([A-Za-z0-9._~+/-]{16,}=*)|[a-z][a-z0-9+.-]*://[^\s/:@"]*:([^\s/@"]+)@|\b(?:set-)?cookie:[ \t]*([^\r\n"\\]+)`)
})

// Find returns the places that look like an API key, in order: the first byte of each, and the one
// after it. Places may overlap.
func Find(text string) [][]int {
	found := findPlain(text)
	for _, run := range encoded(text) {
		if decoded := decode(text[run[0]:run[1]]); decoded != "" && mayHaveShapes(decoded) && len(findShapes(decoded)) > 0 {
			found = append(found, run)
		}
	}
	slices.SortStableFunc(found, func(a, b []int) int { return a[0] - b[0] })
	return found
}

// findPlain is [Find] for what is not encoded.
func findPlain(text string) [][]int {
	found := findShapes(text)
	var around [][]int
	if mayHaveEmbedded(text) {
		around = embedded().FindAllStringSubmatchIndex(text, -1)
	}
	for _, at := range around {
		for group := 2; group < len(at); group += 2 {
			if at[group] >= 0 {
				found = append(found, at[group:group+2])
			}
		}
	}
	return found
}

// findShapes finds the keys whose forms are known.
func findShapes(text string) [][]int {
	if !mayHaveShapes(text) {
		return nil
	}
	var found [][]int
	for _, at := range shapes().FindAllStringSubmatchIndex(text, -1) {
		switch {
		case at[4] >= 0:
			found = append(found, at[4:6])
		case isRandom(text[at[2]:at[3]]):
			found = append(found, at[2:4])
		}
	}
	return found
}

// Redact replaces everything in a text that looks like an API key.
func Redact(text, by string) string { return replaced(text, by, Find(text)) }

// replaced replaces places in a text, which are in order and may overlap.
func replaced(text, by string, found [][]int) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		if f[0] >= at {
			b.WriteString(text[at:f[0]])
			b.WriteString(by)
		}
		at = max(at, f[1])
	}
	b.WriteString(text[at:])
	return b.String()
}
