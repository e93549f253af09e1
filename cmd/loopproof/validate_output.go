package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

// checkedFile is a file that was checked, as --json writes it.
type checkedFile struct {
	File   string      `json:"file"`
	Kind   string      `json:"kind"`
	Errors []fileError `json:"errors"`

	Warnings []fileError `json:"warnings,omitempty"` // which do not make the file invalid

	err      error
	warnings []error
}

// fileError is one thing wrong in a file.
type fileError struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// add adds each of the errors that one joins.
func (c *checkedFile) add(err error) {
	for _, e := range strictyaml.Errors(err) {
		c.Errors = append(c.Errors, c.errorOf(e))
	}
}

// warn adds warnings.
func (c *checkedFile) warn(warnings []error) {
	c.warnings = append(c.warnings, warnings...)
	for _, w := range warnings {
		c.Warnings = append(c.Warnings, c.errorOf(w))
	}
}

func (c *checkedFile) errorOf(err error) fileError {
	if one := (*strictyaml.Error)(nil); errors.As(err, &one) {
		return fileError{one.Line, one.Column, one.Message}
	}
	return fileError{Message: strings.TrimPrefix(err.Error(), c.File+": ")}
}

func countInvalid(all []checkedFile) (n int) {
	for _, c := range all {
		if c.err != nil {
			n++
		}
	}
	return n
}

// tellChecked writes the errors and the warnings for people.
func (s streams) tellChecked(all []checkedFile) error {
	for _, c := range all {
		for _, w := range c.warnings {
			if _, err := fmt.Fprintf(s.err, "warning: %v\n", w); err != nil {
				return err
			}
		}
		if c.err != nil {
			if _, err := fmt.Fprintln(s.err, c.err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s streams) writeChecked(all []checkedFile) error {
	return s.writeJSON(struct {
		Valid bool          `json:"valid"`
		Files []checkedFile `json:"files"`
	}{countInvalid(all) == 0, all})
}
