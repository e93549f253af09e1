package mockprovider

import (
	"errors"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/report"
)

// Journal stores the requests to a provider, or to one of its runs, with the answers and with what
// is wrong with them. The oldest are dropped when there are too many, see [Limits].
type Journal struct{ journal *journal.Journal }

// Entries returns what is stored, the oldest first.
func (j *Journal) Entries() []Entry {
	stored := j.journal.Entries()
	entries := make([]Entry, len(stored))
	for i, e := range stored {
		entries[i] = newEntry(e)
	}
	return entries
}

// Count returns the number of requests since the beginning or the last Reset. Dropped ones count,
// too.
func (j *Journal) Count() int { return j.journal.Count() }

// Reset removes all entries.
func (j *Journal) Reset() { j.journal.Reset() }

// Check returns an error if a real provider would have refused a request, or if a request could not
// be read or got no answer from the scripts. The error says what is wrong, in several lines.
// Dropped entries count, too. No request is no error.
func (j *Journal) Check() error {
	v, err := j.journal.Verdict(loopproof.Version)
	switch {
	case err != nil:
		return err
	case v.Failure != "":
		return errors.New(v.Failure + "\n\n" + v.Message)
	}
	return nil
}

// Report returns what is wrong with the requests as a report, in which each request is a case.
// Since no whole loop was judged, its result is never conformant.
func (j *Journal) Report() *report.Report { return j.journal.Report(loopproof.Version) }
