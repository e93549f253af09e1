// Docgen writes the files that are generated from the code and committed: the lists of rules and of
// profiles, the page of the report, the JSON Schemas, and the verdicts and answers in fixtures. Run
// it at the root of the repository, after any change of those:
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
	"path/filepath"
)

func main() {
	if err := writeAll(); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func writeAll() error {
	files, err := makeAll()
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	for _, name := range leftOver(files) {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// makeAll returns the texts of all generated files, by their names from the root of the
// repository.
func makeAll() (map[string][]byte, error) {
	files, err := fixtureFiles()
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, d := range documents {
		text, err := d.write()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", d.file, err))
		}
		files[d.file] = text
	}
	return files, errors.Join(errs...)
}

// leftOver returns the files of folders in which everything is generated that are none of the
// generated ones.
func leftOver(files map[string][]byte) (names []string) {
	for _, pattern := range []string{"fixtures/answers/*/*/*", "fixtures/providers/*", "fixtures/requests/*/form/*"} {
		found, _ := filepath.Glob(pattern) // the pattern is right
		for _, name := range found {
			if _, ok := files[filepath.ToSlash(name)]; !ok {
				names = append(names, name)
			}
		}
	}
	return names
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
	{"internal/rulebook/numbers/" + nextNumber + ".yaml", numberFile},
	{"scenarios/schema.json", scenarioSchema},
	{"profiles/schema.json", profileSchema},
}
