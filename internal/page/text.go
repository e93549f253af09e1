package page

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// Text is a text of which a long one is folded, and of a very long one only the beginning is on the
// page.
type Text struct {
	Short, Rest string
	Size        string // of all of it, where it is folded
	URL         string // of all of it, where it is not all on the page
}

// How much of a text is shown at once, and how much is on the page at all, in bytes.
const (
	shownAtOnce = 1500
	onThePage   = 8_000
)

// NewText folds a text. url is where all of it can be had.
func NewText(text, url string) Text {
	if len(text) <= shownAtOnce*5/4 {
		return Text{Short: text}
	}
	t := Text{Short: cut(text, shownAtOnce), Size: Size(len(text))}
	t.Rest = text[len(t.Short):]
	if len(text) > onThePage {
		t.Rest, t.URL = cut(t.Rest, onThePage-shownAtOnce), url
	}
	return t
}

// Empty reports whether there is nothing to show.
func (t Text) Empty() bool { return t.Short == "" }

// NewRaw shows the beginning of a body. A part of a page with many bodies is short.
func NewRaw(body []byte, url string, short bool) Raw {
	limit := onThePage
	if short {
		limit = shownAtOnce
	}
	text := strings.ToValidUTF8(string(body[:min(len(body), limit)]), "\uFFFD")
	return Raw{URL: url, Size: Size(len(body)), Text: text, Cut: len(body) > limit}
}

// cut returns the beginning of a text, which ends between two characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// Size writes a number of bytes for people.
func Size(n int) string {
	switch {
	case n < 1000:
		return textlayout.Count(n, "byte")
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	}
}

// Span writes a time for people. Less than a millisecond is not worth a word.
func Span(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	words := fmt.Sprintf("%d min", int(d.Minutes())%60)
	if hours := int(d.Hours()); hours > 0 {
		return fmt.Sprintf("%d h ", hours) + words
	}
	if seconds := int(d.Seconds()) % 60; seconds > 0 {
		words += fmt.Sprintf(" %d s", seconds)
	}
	return words
}
