package wire

import "strings"

// Words returns typed words as texts.
func Words[T ~string](words []T) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return texts
}

// BlankArguments reports whether the arguments of a call say nothing, which is an empty object
// where arguments are objects.
func BlankArguments(arguments string) bool {
	trimmed := strings.TrimSpace(arguments)
	return trimmed == "" || trimmed == "null"
}
