package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteDir writes report.json, and rendered from it junit.xml, report.html, summary.md and badge.json, into a folder. It
// creates the folder if necessary.
func (r *Report) WriteDir(dir string) error {
	if err := PrepareDir(dir); err != nil {
		return err
	}
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{"report.json", r.Write},
		{"junit.xml", r.WriteJUnit},
		{"report.html", r.WriteHTML},
		{"summary.md", r.WriteMarkdown},
		{"badge.json", r.WriteBadge},
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, f.name), f.write); err != nil {
			return fmt.Errorf("the report cannot be written: %w", err)
		}
	}
	return nil
}

// PrepareDir creates the folder of a report if necessary, and checks that files can be written there, so that a long run
// does not fail at its end.
func PrepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the folder %s cannot be created: %w", dir, err)
	}
	probe, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("the folder %s is not writable: %w", dir, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// WriteBadge writes the result in the format of https://shields.io/badges/endpoint-badge.
func (r *Report) WriteBadge(w io.Writer) error {
	colours := map[Result]string{Conformant: "brightgreen", Partial: "yellow", NotConformant: "red"}
	return json.NewEncoder(w).Encode(struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
	}{1, "loopproof", words[r.Result], colours[r.Result]})
}
