// Command loopproof judges agent loops: it plays scripted conversations to a loop and holds what it does against the
// rulebook.
//
//	loopproof run -- node my-adapter.js
//
// See loopproof --help for the rest.
package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/loopproof/loopproof/internal/wire"
)

func main() { os.Exit(execute(os.Args[1:], ownStreams())) }

// streams are where the command writes: results on out, everything else on err.
type streams struct {
	out, err io.Writer

	// colour and terminal say what out and err take; width is how wide out is.
	colour, terminal bool
	width            int

	// dialects are those of own profiles which are none of Loopproof's own; only tests have some.
	dialects []*wire.Dialect
}

// ownStreams returns those of the process. NO_COLOR is respected: https://no-color.org.
func ownStreams() streams {
	s := streams{out: os.Stdout, err: os.Stderr, width: 100}
	out := int(os.Stdout.Fd())
	if term.IsTerminal(out) {
		s.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(out); err == nil {
			s.width = min(width, 120)
		}
	}
	s.terminal = term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
	return s
}
