package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/report"
)

// update writes the known-failing list again if --update is set. The new list is used from then on.
func (r *loopRun) update(result *report.Report) (*knownfailing.Update, error) {
	if !r.flags.update {
		return nil, nil
	}
	if result.Stopped != "" || len(result.Cases) == 0 {
		return nil, errors.New("the list was not updated: not all cases were played")
	}
	u := r.known.Update(result, r.plan.Selection())
	name := r.flags.knownFailing
	if _, err := os.Stat(name); err != nil && u.Text == "" {
		return &u, nil // a loop that breaks nothing needs no list
	}
	if err := files.WriteBytes(name, []byte(u.Text)); err != nil {
		return nil, fmt.Errorf("the list was not updated: %w", err)
	}
	var err error
	r.known, err = knownfailing.LoadToUpdate(name)
	return &u, err
}

// tellUpdate says how many entries changed.
func (r *loopRun) tellUpdate(u *knownfailing.Update) {
	if u == nil {
		return
	}
	s := r.layout()
	if _, err := os.Stat(r.flags.knownFailing); err != nil {
		s.Item("updated", r.flags.knownFailing+": no such file was written, since the list would have no entry")
		fmt.Fprint(r.out, s.String())
		return
	}
	joined := ""
	if u.Joined > 0 {
		joined = fmt.Sprintf("; %d merged into others", u.Joined)
	}
	s.Item("updated", fmt.Sprintf("%s: %d added, %d changed, %d removed, %d unchanged%s",
		r.flags.knownFailing, u.Added, u.Rewritten, u.Removed, u.Kept, joined))
	if u.Unreasoned > 0 {
		s.Text(0, fmt.Sprintf("Add a reason to the %s without one: the list cannot be used before.", entries(u.Unreasoned)), textlayout.Plain)
	}
	fmt.Fprint(r.out, s.String())
}

func entries(n int) string {
	if n == 1 {
		return "entry"
	}
	return fmt.Sprintf("%d entries", n)
}
