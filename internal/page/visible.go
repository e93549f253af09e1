package page

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible replaces characters that change how text is shown, and are not seen themselves, by ones
// that are seen: control characters by their pictures, marks that turn the direction of text and
// others without a width by their numbers. It works on rendered HTML, which has none of them but in
// what others sent, and puts nothing in that HTML knows.
func Visible(html []byte) []byte {
	if !hasHidden(html) {
		return html
	}
	var b strings.Builder
	b.Grow(len(html) + len(html)/50)
	for _, r := range string(html) {
		b.WriteString(picture(r))
	}
	return []byte(b.String())
}

func hasHidden(text []byte) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if hidden(r) {
			return true
		}
		text = text[n:]
	}
	return false
}

// hidden reports whether a character is not seen. Joiners stay: emoji and some scripts need them.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r <= 0x9f:
		return true
	case r < 0x20_00:
		return r == '\u00ad' || r == '\u061c'
	case r == '\u200c' || r == '\u200d':
		return false
	case r == '\u2028' || r == '\u2029':
		return true
	default:
		return unicode.Is(unicode.Cf, r)
	}
}

// mark keeps what is alongside it from left to right, in the middle of a text from right to left
// too.
const mark = "\u200e"

func picture(r rune) string {
	switch {
	case !hidden(r):
		return string(r)
	case r < 0x20:
		return mark + string('\u2400'+r) + mark
	case r == 0x7f:
		return mark + "\u2421" + mark
	default:
		return fmt.Sprintf("%s⟨U+%04X⟩%[1]s", mark, r)
	}
}
