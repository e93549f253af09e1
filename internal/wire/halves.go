package wire

import "strings"

// Halves cuts a text in two, before a word where it has several. A text of one letter or none stays
// whole.
func Halves(text string) []string {
	letters := []rune(text)
	if len(letters) < 2 {
		return []string{text}
	}
	middle := len(string(letters[:len(letters)/2]))
	if space := strings.LastIndexByte(text[:middle], ' '); space > 0 {
		middle = space + 1
	}
	return []string{text[:middle], text[middle:]}
}

// WithTexts returns copies of a part of an answer, one with each of the texts.
func WithTexts(part *Node, texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		one := part.Clone()
		one.Set("text", text)
		all[i] = Raw(one.JSON())
	}
	return all
}
