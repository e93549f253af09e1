package main

import (
	"fmt"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// quoted writes a command so that it can be pasted into a shell.
func quoted(command []string) string { return shellescape.QuoteCommand(command) }

func count(n int, noun string) string { return textlayout.Count(n, noun) }

// counted is count for nouns with a plural of their own.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// list joins words: "a, b, c".
func list[T ~string](of []T) string { return strings.Join(wire.Words(of), ", ") }

func (s streams) layout() *textlayout.Builder {
	return &textlayout.Builder{Colour: s.colour, Width: s.width}
}

// draftTitle returns the title of a profile or a dialect, with a word for one that is a draft.
func draftTitle(title string, draft bool) string {
	if draft {
		return title + " (draft)"
	}
	return title
}
