package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/rules"
)

// defaultWidth is how wide text is where nobody says.
const defaultWidth = 100

// ink is a way to stress a text on a terminal.
type ink string

const (
	bold  ink = "1"
	faint ink = "2"
	red   ink = "1;31"
	amber ink = "33"
	green ink = "1;32"
)

// paint returns the text in an ink, or as it is where colours are not wanted.
func (c Console) paint(how ink, text string) string {
	if !c.Colour || text == "" {
		return text
	}
	return "\x1b[" + string(how) + "m" + text + "\x1b[0m"
}

func (c Console) width() int {
	if c.Width <= 0 {
		return defaultWidth
	}
	return max(c.Width, 40)
}

// wrap breaks text into lines of at most width characters, between words. Line breaks in the text stay, and a word
// that is longer than a line stays whole, so that it can be copied.
func wrap(text string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		line := ""
		for _, word := range strings.Split(paragraph, " ") {
			if line != "" && length(line)+1+length(word) > width {
				lines = append(lines, line)
				line = word
				continue
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}

// fold breaks each line of a text wherever it is full.
func fold(text string, width int) []string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		rest := []rune(line)
		for len(rest) > width {
			lines = append(lines, string(rest[:width]))
			rest = rest[width:]
		}
		lines = append(lines, string(rest))
	}
	return lines
}

func length(s string) int { return utf8.RuneCountInString(s) }

// count returns a number with its noun: "1 case", "31 cases".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// inkOf returns the ink for a level that was missed.
func inkOf(l rules.Level) ink {
	if l == rules.Must {
		return red
	}
	return amber
}
