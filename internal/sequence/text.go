package sequence

import (
	"strings"
	"unicode"
)

// cells is how many letters wide a text is.
func cells(text string) (n int) {
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xd7ff || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0x1f000):
		return 2
	default:
		return 1
	}
}

func shorten(text string, most int) string {
	if cells(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += cellsOf(r); n >= most {
			return text[:i] + "…"
		}
	}
	return text
}

func limited(lines []string, most int) []string {
	if more := len(lines) - most; more > 1 {
		return append(lines[:most:most], "… "+counted(more, "more line"))
	}
	return lines
}

// mostText is how much of a text is looked at, in bytes: more is not drawn.
const mostText = 20_000

// wrap cuts a text into lines, at spaces where there are any.
func wrap(text string, most int) (lines []string) {
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	for paragraph := range strings.Lines(text) {
		paragraph = strings.TrimRight(strings.ReplaceAll(paragraph, "\t", "  "), "\r\n")
		for cells(paragraph) > most {
			at, n, space := 0, 0, -1
			for i, r := range paragraph {
				if n += cellsOf(r); n > most {
					break
				}
				at = i + len(string(r))
				if r == ' ' {
					space = i
				}
			}
			if space > at/2 {
				lines, paragraph = append(lines, paragraph[:space]), paragraph[space+1:]
				continue
			}
			at = max(at, 1)
			lines, paragraph = append(lines, paragraph[:at]), paragraph[at:]
		}
		lines = append(lines, paragraph)
	}
	return lines
}
