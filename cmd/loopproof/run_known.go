package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/report"
)

// entriesFile holds the unexpected failures in the folder of a report, ready to become a
// known-failing list.
const entriesFile = "unexpected.yaml"

// tellKnown says which failures the known-failing list covers, or how to begin such a list.
func (r *loopRun) tellKnown(result *report.Report, judged *knownfailing.Judged) {
	s := r.layout()
	switch list := r.flags.knownFailing; {
	case list == "" && len(judged.Unexpected) > 0:
		s.Item("accept", "--known-failing FILE --update writes a list of these failures, which --known-failing FILE accepts once each has a reason")
	case list != "":
		s.Item("known", listed(list, judged))
		tellProblems(s, judged)
		if entries := knownfailing.EntriesFor(result, r.plan.Selection(), judged.Unexpected); entries != "" {
			s.Line(0, "")
			how := fmt.Sprintf("To accept the unexpected failures, add these lines to %s, each with a reason; --update adds them, too:", list)
			if r.flags.update {
				how = fmt.Sprintf("--update did not add these lines to %s: a scenario that was not played may test the rule. To accept them nevertheless:", list)
			}
			s.Text(0, how, textlayout.Plain)
			s.Line(0, "")
			s.Line(0, strings.TrimRight(r.firstEntries(entries), "\n"))
			s.Line(0, "")
		}
	}
	fmt.Fprint(r.out, s.String())
}

// knownNote says in the last line what the list makes of the result, since it decides the exit
// code.
func knownNote(list string, result *report.Report, judged *knownfailing.Judged, updated *knownfailing.Update) string {
	var notes []string
	note := func(n int, one, many string) {
		switch {
		case n == 1:
			notes = append(notes, fmt.Sprintf(one, list))
		case n > 1:
			notes = append(notes, fmt.Sprintf("%d "+many, n, list))
		}
	}
	note(len(judged.Unexpected), "1 failure is not on the list %s", "failures are not on the list %s")
	note(len(judged.Stale), "the list %s is stale: 1 entry does not fail as it says", "entries of the list %s are stale: they do not fail as they say")
	note(len(judged.Mistaken), "the list %s is wrong: 1 entry is mistaken", "entries of the list %s are mistaken")
	if updated != nil {
		note(updated.Unreasoned, "the list %s cannot be used before 1 entry has a reason", "entries of the list %s need a reason before it can be used")
	}
	if len(notes) == 0 && judged.Clean() && result.Result == report.NotConformant {
		return "all failures are on the list " + list
	}
	return strings.Join(notes, "; ")
}

func listed(list string, judged *knownfailing.Judged) string {
	text := fmt.Sprintf("%s on the list %s", failures(len(judged.Expected)), list)
	if n := len(judged.Unexpected); n > 0 {
		return text + fmt.Sprintf(", %d unexpected", n)
	}
	return text + ", no others"
}

func failures(n int) string {
	if n == 1 {
		return "1 failure is"
	}
	return fmt.Sprintf("%d failures are", n)
}

// tellProblems says which entries of the list are wrong, and how to mend them.
func tellProblems(s *textlayout.Builder, judged *knownfailing.Judged) {
	for _, err := range judged.Mistaken {
		s.Item("mistaken", err.Error())
	}
	for _, err := range judged.Stale {
		s.Item("stale", err.Error())
	}
	if len(judged.Stale) > 0 {
		s.Item("", "--update brings the list up to date")
	}
}

// maxEntries is how many lines of ready-made entries are shown.
const maxEntries = 40

func (r *loopRun) firstEntries(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= maxEntries {
		return text
	}
	where := "--report FOLDER writes all of them to FOLDER/" + entriesFile
	if dir := r.flags.report; dir != "" {
		where = "all of them are in " + filepath.Join(dir, entriesFile)
	}
	return strings.Join(lines[:maxEntries], "") + fmt.Sprintf("# … and %d more lines; %s", len(lines)-maxEntries, where)
}

// writeEntries writes the entries into the folder of the report, unless that would overwrite the
// list itself.
func writeEntries(dir, list, entries string) error {
	name := filepath.Join(dir, entriesFile)
	if sameFile(name, list) {
		return nil
	}
	text := "# Unexpected failures. Add a reason to each, and use this file with --known-failing.\n"
	if list != "" {
		text = "# Failures that are not on " + list + ". Add a reason to each, and move them there.\n"
	}
	text += entries
	if entries == "" {
		text = "# No failure was unexpected.\n"
	}
	return files.WriteBytes(name, []byte(text))
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
