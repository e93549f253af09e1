package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteDir writes the report into a folder, which it makes where there is none: report.json, and rendered from it
// junit.xml, report.html, summary.md and badge.json.
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

// PrepareDir makes the folder of a report where there is none, and makes sure that files can be written there: better
// known before a long run than behind it.
func PrepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	probe, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("nothing can be written into the folder %s: %w", dir, err)
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

// WriteBadge writes the result in the form in which https://shields.io/badges/endpoint-badge takes it.
func (r *Report) WriteBadge(w io.Writer) error {
	colours := map[Result]string{Conformant: "brightgreen", Partial: "yellow", NotConformant: "red"}
	return json.NewEncoder(w).Encode(struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
	}{1, "loopproof", words[r.Result], colours[r.Result]})
}
