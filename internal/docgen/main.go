// Docgen writes the files that are generated from the code and committed: the lists of rules and of
// profiles, the page of the report, and the JSON Schemas. Run it at the root of the repository,
// after any change of those:
//
//	go run ./internal/docgen
//
// It makes all documents first and writes them last: an error leaves the files as they were. A test
// fails when a document is not up to date. The program lab/site renders what is longer: each rule
// and each profile in full, and what follows from them.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := writeAll(); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func writeAll() error {
	texts := make([][]byte, len(documents))
	var errs []error
	for i, d := range documents {
		text, err := d.write()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", d.file, err))
		}
		texts[i] = text
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, d := range documents {
		if err := os.WriteFile(d.file, texts[i], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// document is a generated file.
type document struct {
	file  string // from the root of the repository
	write func() ([]byte, error)
}

var documents = []document{
	{"docs/rules.md", ruleList},
	{"docs/profiles.md", profileList},
	{"docs/report.md", reportPage},
	{"report/schema.json", reportSchema},
	{"scenarios/schema.json", scenarioSchema},
	{"profiles/schema.json", profileSchema},
}
