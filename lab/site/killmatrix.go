package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// killMatrix writes which fault breaks which rules.
func killMatrix() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# The kill matrix\n\n")
	b.WriteString("A rule that cannot fail proves nothing. Each fault below is the reference loop with exactly one thing wrong, most of them from a public report. ")
	b.WriteString("Tests check that each fault breaks exactly the rules that it declares here, and that each rule has a fault that breaks it alone.\n\n")
	modelled := 0
	for _, f := range faults.All() {
		if len(f.Reports) > 0 {
			modelled++
		}
	}
	fmt.Fprintf(&b, "%d faults, %d of them after public reports; %d rules.\n\n", len(faults.All()), modelled, len(rulebook.Book()))
	for _, dialect := range dialect.Names(dialect.All()) {
		fmt.Fprintf(&b, "- %d of them are judged in the dialect %s.\n", judgedIn(dialect), dialect)
	}
	b.WriteString("\nWhere a fault is judged in several dialects, it breaks in each those of its rules that are about it.\n\n")
	b.WriteString("| fault | dialects | what the loop does | breaks | after |\n|---|---|---|---|---|\n")
	for _, f := range faults.All() {
		var breaks []string
		for _, id := range f.Breaks {
			breaks = append(breaks, fmt.Sprintf("[%s](rules.md#%s)", id, anchor(id)))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.Name, strings.Join(f.Dialects(), ", "), f.Does, strings.Join(breaks, "<br>"), shortLinks(f.Reports))
	}
	writeReports(&b)
	return b.Bytes(), nil
}

// judgedIn counts the faults that are judged in a dialect.
func judgedIn(dialect string) int {
	count := 0
	for _, f := range faults.All() {
		if slices.Contains(f.Dialects(), dialect) {
			count++
		}
	}
	return count
}

// writeReports says how many of the public reports are modelled, and of each other why it is not.
func writeReports(b *bytes.Buffer) {
	var others []faults.Report
	known := faults.All()
	for _, r := range faults.Reports() {
		if len(r.ModelledBy(known)) == 0 {
			others = append(others, r)
		}
	}
	all := len(faults.Reports())
	b.WriteString("\n## Public reports\n\n")
	b.WriteString("We collected reports of loops that go wrong over Chat Completions in a way that shows on the wire, in the runs of the tools or in the outcome. ")
	fmt.Fprintf(b, "%d of %d are modelled by a fault above, and so are caught.\n", all-len(others), all)
	if len(others) == 0 {
		return
	}
	b.WriteString("\nThe others:\n\n| project | what goes wrong | why there is no fault | report |\n|---|---|---|---|\n")
	for _, r := range others {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", r.Project, r.Symptom, r.Cannot, shortLinks(r.Links))
	}
}

// shortLinks writes one link a line into a cell of a table.
func shortLinks(urls []string) string {
	var links []string
	for _, url := range urls {
		links = append(links, fmt.Sprintf("[%s](%s)", shortURL(url), url))
	}
	return strings.Join(links, "<br>")
}

// shortURL writes an address on GitHub as owner/repository#number.
func shortURL(url string) string {
	short := strings.TrimPrefix(url, "https://github.com/")
	for _, kind := range []string{"/issues/", "/pull/", "/discussions/"} {
		short = strings.Replace(short, kind, "#", 1)
	}
	if repo, commit, ok := strings.Cut(short, "/commit/"); ok {
		short = repo + "@" + commit[:min(7, len(commit))]
	}
	return short
}
