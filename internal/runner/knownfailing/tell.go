package knownfailing

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Tell writes how the failures compare with a list.
func (j *Judged) Tell(w io.Writer, list string) {
	fmt.Fprintf(w, "%11s  %d failures are on the list %s, %d unexpected\n", "known", len(j.Expected), list, len(j.Unexpected))
	for _, err := range j.Mistaken {
		fmt.Fprintf(w, "%11s  %v\n", "mistaken", err)
	}
	for _, err := range j.Stale {
		fmt.Fprintf(w, "%11s  %v\n", "stale", err)
	}
}

// Reason returns why a failure is expected, and false when it is not.
func (e *List) Reason(c *report.Case, rule string) (string, bool) {
	for _, entry := range e.Entries {
		if entry.Rule == rule && trace.MatchesAny([]string{entry.Case}, c.ID) && entry.fits(c) {
			return entry.Reason, true
		}
	}
	return "", false
}

// fits reports whether all findings of the entry's rule in a case have its message.
func (e *Entry) fits(c *report.Case) bool {
	return !slices.ContainsFunc(c.Findings, func(f report.Finding) bool {
		return f.Rule == e.Rule && !strings.HasPrefix(f.Message, e.Message)
	})
}
