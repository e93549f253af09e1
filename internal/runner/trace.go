package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopproof/loopproof/internal/runner/exchanges"
	"github.com/loopproof/loopproof/report"
)

// maxTraced bounds the memory that the exchanges of broken cases take until the report chooses
// among them, in bytes.
const maxTraced = 64 << 20

// fewCases is how many cases a run has at most of which the exchange of each is kept, broken or not:
// who plays so few wants to see them, and may compare them with those of another version.
const fewCases = 50

// trace notes the exchange of a case that failed, or of each of a few, and writes that of each case where it is asked
// for.
func (b *builder) trace(c *report.Case, one *played) {
	if dir := b.config.Trace; dir != "" && b.untraced == nil {
		b.untraced = writeTrace(dir, c, exchanges.Of(one.log, &one.run.Run, exchanges.Whole))
	}
	if b.config.Untraced || !c.Broken() && len(b.plan.Cases) > fewCases || b.traced > maxTraced {
		return
	}
	c.Trace = exchanges.Of(one.log, &one.run.Run, exchanges.Short)
	b.traced += c.Trace.Size()
}

// writeTrace writes the exchange of a case into a file named after it.
func writeTrace(dir string, c *report.Case, t *report.Trace) error {
	name := filepath.Join(dir, filepath.FromSlash(c.ID)) + ".txt"
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("the trace cannot be written: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", c.ID, c.Reproduce)
	for _, id := range c.BrokenRules() {
		fmt.Fprintf(&b, "broken: %s\n", c.Brief(id))
	}
	b.WriteByte('\n')
	if err := t.WriteText(&b); err != nil {
		return err
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		return fmt.Errorf("the trace cannot be written: %w", err)
	}
	return nil
}

// got returns the bytes with which the request of a number was answered, or nil.
func (one *played) got(number int) *report.TracedAnswer {
	return exchanges.Answer(one.log, number, exchanges.Short)
}
