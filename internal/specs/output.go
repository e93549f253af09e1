package specs

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
)

// output is where [Run] writes to.
type output struct {
	w      io.Writer
	colour bool

	own     bool            // Ginkgo tells each spec itself
	verbose func(...string) // prints a line about a spec; nil: not wanted
}

// newOutput looks at where a test writes and how much it is to say, and has Ginkgo do without
// colours where they would show as codes.
func newOutput(file *os.File, c *types.ReporterConfig) *output {
	info, err := file.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	o := &output{
		w:      file,
		colour: terminal && !c.NoColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		own:    c.Verbosity().GTE(types.VerbosityLevelVerbose),
	}
	c.NoColor = !o.colour
	if v := flag.Lookup("test.v"); v != nil && v.Value.String() != "false" && !o.own {
		o.verbose = func(words ...string) { fmt.Fprintln(file, strings.Join(words, "  ")) }
	}
	return o
}

// silence keeps back what Ginkgo prints: a dot for each spec and a dozen lines for each that
// failed, while one bug fails hundreds of them.
func (o *output) silence() *silenced {
	if o.own {
		return &silenced{}
	}
	s := &silenced{was: formatter.ColorableStdOut}
	formatter.ColorableStdOut = &s.kept
	return s
}

// silenced is what Ginkgo printed.
type silenced struct {
	was  io.Writer // nil if it was not kept back
	kept bytes.Buffer
}

// end lets Ginkgo print again, and prints its output unless the report covers it.
func (s *silenced) end(told bool) {
	if s.was == nil {
		return
	}
	formatter.ColorableStdOut = s.was
	if !told {
		s.was.Write(s.kept.Bytes())
	}
}

// strangers counts the specs that failed and are not ours, or did not simply fail: what Ginkgo says
// of those has to be seen.
type strangers struct{ n int }

func (f *strangers) count(r types.SpecReport) {
	if r.State.Is(types.SpecStateFailed) && slices.Contains(r.Labels(), "loopproof") {
		return
	}
	if r.Failed() {
		f.n++
	}
}
