package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/loopproof/loopproof/internal/files"
)

// WriteDir writes report.json, and rendered from it junit.xml, ctrf.json, report.sarif,
// evaluations.otlp.json, report.html, summary.md and badge.json, into a folder. It creates the
// folder if necessary.
func (r *Report) WriteDir(dir string) error {
	if err := PrepareDir(dir); err != nil {
		return err
	}
	parts := []struct {
		name  string
		write func(io.Writer) error
	}{
		{"report.json", r.Write},
		{"junit.xml", r.WriteJUnit},
		{"ctrf.json", r.WriteCTRF},
		{"report.sarif", r.WriteSARIF},
		{"evaluations.otlp.json", r.WriteOTLP},
		{"report.html", r.WriteHTML},
		{"summary.md", r.WriteMarkdown},
		{"badge.json", r.WriteBadge},
	}
	for _, f := range parts {
		if err := files.Write(filepath.Join(dir, f.name), f.write); err != nil {
			return fmt.Errorf("the report cannot be written: %w", err)
		}
	}
	return nil
}

// PrepareDir creates the folder of a report if necessary, and checks that files can be written
// there, so that a long run does not fail at its end.
func PrepareDir(dir string) error {
	if dir == "-" {
		return errors.New("the files are written into a folder, and not to standard output: name a folder instead of -")
	}
	if err := files.MakeFolder(dir); err != nil {
		return fmt.Errorf("the folder %s cannot be created or is not writable: %w", dir, err)
	}
	return nil
}

// WriteBadge writes the result, or the levels that a loop has reached, in the format of https://shields.io/badges/endpoint-badge.
func (r *Report) WriteBadge(w io.Writer) error {
	colours := map[Result]string{Conformant: "brightgreen", Partial: "yellow", NotConformant: "red"}
	message, colour := r.word(), colours[r.Result]
	if reached := r.reached(); r.Result != Conformant && len(reached) > 0 {
		message, colour = strings.Join(reached, ", ")+" conformant", "yellowgreen"
	}
	return json.NewEncoder(w).Encode(struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
	}{1, "loopproof", message, colour})
}
