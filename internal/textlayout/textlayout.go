// Package textlayout lays out text for people: sentences in lines of a certain width, and values
// after labels that are in a column of their own.
//
//	s := textlayout.Builder{Width: 80}
//	s.Line(0, s.Styled(textlayout.Bold, "pairing/every-call-answered"))
//	s.Item("expected", "a tool message for call_1")
//	io.WriteString(os.Stdout, s.String())
package textlayout

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Builder builds a text. The zero value is plain, and 100 characters wide.
type Builder struct {
	Colour bool // whether words are highlighted with the escape codes of terminals
	Width  int  // of a line, in characters; 0 is 100

	text strings.Builder
}

// String returns the text.
func (s *Builder) String() string { return s.text.String() }

// Style is a way to highlight a text on a terminal.
type Style string

// The styles. Plain stresses nothing.
const (
	Plain Style = ""
	Bold  Style = "1"
	Faint Style = "2"
	Red   Style = "1;31"
	Amber Style = "33"
	Green Style = "1;32"
)

// Styled returns the text in a style, or unchanged if there are no colours.
func (s *Builder) Styled(how Style, text string) string {
	if !s.Colour || text == "" || how == Plain {
		return text
	}
	return "\x1b[" + string(how) + "m" + text + "\x1b[0m"
}

// labels is how wide the column of labels is, and gap what is after it.
const (
	labels = 11
	gap    = "  "
	indent = labels + len(gap)
)

func (s *Builder) width() int {
	if s.Width <= 0 {
		return 100
	}
	return max(s.Width, 40)
}

// Line writes one line as it is, after some spaces. Without a text, the line is blank.
func (s *Builder) Line(spaces int, text string) {
	if text != "" {
		s.text.WriteString(strings.Repeat(" ", spaces) + text)
	}
	s.text.WriteByte('\n')
}

// Text writes sentences in lines of the width.
func (s *Builder) Text(spaces int, text string, how Style) {
	for _, line := range wrap(text, s.width()-spaces) {
		s.Line(spaces, s.Styled(how, line))
	}
}

// Item writes a text after a label. Without a text it writes nothing.
func (s *Builder) Item(label, text string) {
	if text != "" {
		s.Labelled(label, wrap(text, s.width()-indent))
	}
}

// Detail is [Builder.Item] for a text whose first lines are enough, such as the trace of a crash.
func (s *Builder) Detail(label, text string) {
	if text != "" {
		s.Labelled(label, firstLines(wrap(text, s.width()-indent)))
	}
}

// Exact writes a text after a label unchanged, except that long lines are broken.
func (s *Builder) Exact(label, text string) {
	if text != "" {
		s.Labelled(label, fold(text, s.width()-indent))
	}
}

// Command writes a line after a label, and does not break it, so that it can be copied.
func (s *Builder) Command(label, line string) {
	if line != "" {
		s.Labelled(label, []string{line})
	}
}

// Row writes a head behind the column of labels, and a text in a column next to it.
func (s *Builder) Row(head, text string) {
	for _, line := range wrap(text, max(20, s.width()-indent-Length(head))) {
		s.Labelled("", []string{head + line})
		head = strings.Repeat(" ", Length(head))
	}
}

// Labelled writes lines as they are, the first of them after a label.
func (s *Builder) Labelled(label string, lines []string) {
	for _, line := range lines {
		padded := strings.Repeat(" ", max(0, labels-Length(label))) + label
		s.Line(0, strings.TrimRight(s.Styled(Faint, padded)+gap+line, " "))
		label = ""
	}
}

// maxLines is how many lines of a detail are shown.
const maxLines = 12

func firstLines(lines []string) []string {
	if len(lines) <= maxLines {
		return lines
	}
	return append(slices.Clone(lines[:maxLines]), fmt.Sprintf("… %d more", len(lines)-maxLines))
}

// wrap breaks text into lines of at most width characters, between words. Line breaks in the text
// stay, and so do the spaces with which a line begins. A word that is longer than a line stays
// whole, so that it can be copied.
func wrap(text string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		words := strings.TrimLeft(paragraph, " ")
		before := paragraph[:len(paragraph)-len(words)]
		line := before
		for i, word := range strings.Split(words, " ") {
			switch {
			case i == 0:
			case Length(line)+1+Length(word) > width:
				lines = append(lines, line)
				line = before
			default:
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

// Length returns how many characters a text has.
func Length(s string) int { return utf8.RuneCountInString(s) }

// Count returns a number with its noun: "1 case", "31 cases".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Shorten cuts a text to a number of characters, and ends it with … where something is left out.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := 0
	for at := range text {
		if n == limit {
			return text[:at] + "…"
		}
		n++
	}
	return text
}

// ShortenCounted is [Shorten], and also tells the length of a text that was cut.
func ShortenCounted(text string, limit int) string {
	short := Shorten(text, limit)
	if len(short) == len(text) {
		return text
	}
	return fmt.Sprintf("%s (%d characters)", short, Length(text))
}

// OneLine puts a text on one line: runs of white space become one space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
