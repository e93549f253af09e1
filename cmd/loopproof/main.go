// Command loopproof tests agent loops: it plays scripted conversations to a loop and judges by the
// rules what it does.
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

// streams are where the command writes: results to out, everything else to err.
type streams struct {
	out, err io.Writer

	// colour says whether out shows colours, people whether out is a terminal, and terminal whether
	// err is one; width is that of out.
	colour, people, terminal bool
	width                    int

	// dialects are additional ones, for tests.
	dialects []*wire.Dialect
}

// ownStreams returns the streams of the process. It respects NO_COLOR: https://no-color.org.
func ownStreams() streams {
	s := streams{out: os.Stdout, err: os.Stderr, width: 100}
	out := int(os.Stdout.Fd())
	if s.people = term.IsTerminal(out); s.people {
		s.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(out); err == nil {
			s.width = min(width, 120)
		}
	}
	s.terminal = term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
	return s
}
