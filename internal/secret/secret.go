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

// forms are those of widespread keys: how each begins, and how it continues.
var forms = []struct{ begins, goesOn string }{
	{"sk-", `[A-Za-z0-9_-]{16,}`},
	{"ghp_", `[A-Za-z0-9]{20,}`},
	{"gho_", `[A-Za-z0-9]{20,}`},
	{"ghu_", `[A-Za-z0-9]{20,}`},
	{"ghs_", `[A-Za-z0-9]{20,}`},
	{"ghr_", `[A-Za-z0-9]{20,}`},
	{"github_pat_", `[A-Za-z0-9_]{20,}`},
	{"AKIA", `[0-9A-Z]{16}`},
	{"AIza", `[0-9A-Za-z_-]{30,}`},
	{"xox", `[abprs]-[A-Za-z0-9-]{10,}`},
	{"hf_", `[A-Za-z0-9]{20,}`},
	{"gsk_", `[A-Za-z0-9]{20,}`},
	{"r8_", `[A-Za-z0-9]{20,}`},
	{"xai-", `[A-Za-z0-9]{20,}`},
	{"pplx-", `[A-Za-z0-9]{20,}`},
	{"csk-", `[A-Za-z0-9]{20,}`},
	{"nvapi-", `[A-Za-z0-9_-]{20,}`},
	{"glpat-", `[A-Za-z0-9_-]{20,}`},
	{"npm_", `[A-Za-z0-9]{30,}`},
	{"sk_live_", `[A-Za-z0-9]{16,}`},
	{"rk_live_", `[A-Za-z0-9]{16,}`},
	{"eyJ", `[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`},
}

// shapes finds any of the forms.
var shapes = sync.OnceValue(func() *regexp.Regexp {
	all := make([]string, len(forms))
	for i, f := range forms {
		all[i] = regexp.QuoteMeta(f.begins) + f.goesOn
	}
	return regexp.MustCompile(`\b(` + strings.Join(all, "|") + `)`)
})

// mayHaveShapes and mayHaveEmbedded tell quickly of most texts that there is nothing to find in them.
func mayHaveShapes(text string) bool {
	for _, f := range forms {
		if strings.Contains(text, f.begins) {
			return true
		}
	}
	return false
}

func mayHaveEmbedded(text string) bool {
	if strings.Contains(text, "://") {
		return true
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, "bearer") || strings.Contains(lower, "cookie:")
}

// embedded are secrets inside of something else, which stays: a bearer token in prose, the password of a URL, the value
// of a cookie.
var embedded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bbearer[ \t]+([A-Za-z0-9._~+/-]{16,}=*)|[a-z][a-z0-9+.-]*://[^\s/:@"]*:([^\s/@"]+)@|\b(?:set-)?cookie:[ \t]*([^\r\n"\\]+)`)
})

// Find returns the places that look like an API key, in order: the first byte of each, and the one after it. Places may
// overlap.
func Find(text string) [][]int {
	var found, around [][]int
	if mayHaveShapes(text) {
		found = shapes().FindAllStringIndex(text, -1)
	}
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
	slices.SortStableFunc(found, func(a, b []int) int { return a[0] - b[0] })
	return found
}

// Redact replaces everything in a text that looks like an API key.
func Redact(text, by string) string {
	found := Find(text)
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
