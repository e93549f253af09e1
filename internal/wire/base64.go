package wire

import "strings"

var standardLetters = strings.NewReplacer("-", "+", "_", "/")

// StandardBase64 returns base64 in the standard alphabet and padded. The JSON form of protobuf
// takes either alphabet, with padding or without: https://protobuf.dev/programming-guides/json/
func StandardBase64(text string) string {
	text = standardLetters.Replace(strings.TrimRight(text, "="))
	if rest := len(text) % 4; rest > 1 {
		text += strings.Repeat("=", 4-rest)
	}
	return text
}
