package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wholefile"
	"github.com/loopproof/loopproof/report"
)

// entriesFile holds the unexpected failures in the folder of a report, ready to become a known-failing list.
const entriesFile = "unexpected.yaml"

// tellKnown says which failures the known-failing list covers, or how to begin such a list.
func (r *loopRun) tellKnown(result *report.Report, judged *runner.Judged) {
	s := r.layout()
	switch list := r.flags.knownFailing; {
	case list == "" && len(judged.Unexpected) > 0:
		s.Item("accept", "use --known-failing FILE to accept these failures for now; --report FOLDER writes the list as "+entriesFile)
	case list != "":
		s.Item("known", listed(list, judged))
		tellProblems(s, judged)
		if entries := runner.Entries(result, r.plan, judged.Unexpected); entries != "" {
			s.Line(0, "")
			s.Text(0, fmt.Sprintf("To accept the unexpected failures, add these lines to %s, each with a reason:", list), textlayout.Plain)
			s.Line(0, "")
			s.Line(0, strings.TrimRight(firstEntries(entries), "\n"))
			s.Line(0, "")
		}
	}
	fmt.Fprint(r.out, s.String())
}

func listed(list string, judged *runner.Judged) string {
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

// tellProblems says which entries of the list are wrong.
func tellProblems(s *textlayout.Builder, judged *runner.Judged) {
	for _, err := range judged.Mistaken {
		s.Item("mistaken", err.Error())
	}
	for _, err := range judged.Stale {
		s.Item("stale", err.Error())
	}
}

// maxEntries is how many lines of ready-made entries are shown.
const maxEntries = 40

func firstEntries(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= maxEntries {
		return text
	}
	return strings.Join(lines[:maxEntries], "") + fmt.Sprintf("# … and %d more lines; --report FOLDER writes all of them to %s", len(lines)-maxEntries, entriesFile)
}

// writeEntries writes the entries into the folder of the report, unless that would overwrite the list itself.
func writeEntries(dir, list, entries string) error {
	name := filepath.Join(dir, entriesFile)
	if sameFile(name, list) {
		return nil
	}
	text := "# Unexpected failures. Add a reason to each, and use this file with --known-failing.\n" + entries
	if entries == "" {
		text = "# No failure was unexpected.\n"
	}
	return wholefile.WriteBytes(name, []byte(text))
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
