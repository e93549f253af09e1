package rules

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// TextOf returns all text of a message, that of its results too.
func TextOf(m wire.Message) string {
	text := m.Content.Text
	for _, res := range m.Results {
		if res.Node != m.Node {
			text += res.Content.Text
		}
	}
	return text
}

// HoldsBytes reports whether a text holds some bytes of a file, in base64 or as a list of numbers. In
// base64 they are found where as many bytes are before them in the file as are a multiple of three.
func HoldsBytes(text string, some []byte) bool {
	numbers := make([]string, len(some))
	for i, b := range some {
		numbers[i] = strconv.Itoa(int(b))
	}
	return strings.Contains(text, base64.StdEncoding.EncodeToString(some)) ||
		strings.Contains(strings.ReplaceAll(text, " ", ""), strings.Join(numbers, ","))
}
