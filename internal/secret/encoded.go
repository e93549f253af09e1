package secret

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// The lengths of a text in base64 that is looked into: a key has fewer letters than an image.
const (
	shortestEncoded = 24
	longestEncoded  = 8 << 10
)

// encoded returns the places of what may be a text in base64, which are runs of its letters.
func encoded(text string) [][]int {
	var all [][]int
	start := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isBase64(text[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && i-start >= shortestEncoded && i-start <= longestEncoded {
			all = append(all, []int{start, padded(text, i)})
		}
		start = -1
	}
	return all
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// padded returns the end of a run of letters of base64 with the padding after it.
func padded(text string, end int) int {
	for n := 0; n < 2 && end < len(text) && text[end] == '='; n++ {
		end++
	}
	return end
}

// decode returns what a run of letters of base64 says, or "" where it is no text. The run may begin
// with letters before it, as after a slash of a path, so that only the beginning counts.
func decode(run string) string {
	run = strings.TrimRight(run, "=")
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(run)%4 == 1 { // it breaks off
		run = run[:len(run)-1]
	}
	said, err := encoding.DecodeString(run)
	if err != nil || !utf8.Valid(said) {
		return ""
	}
	return string(said)
}
