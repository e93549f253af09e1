package main

import (
	"bytes"
	"fmt"

	"github.com/loopproof/loopproof/internal/rulebook"
)

// nextNumber is the number under which the rules of today will be frozen, or are.
const nextNumber = "2026.12"

// numberFile writes the rules and their levels under the newest number, until it is frozen.
func numberFile() ([]byte, error) {
	if n, err := rulebook.Numbered(nextNumber); err == nil && n.Frozen != "" {
		return rulebook.NumberFile(nextNumber)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The rules under a number. go run ./internal/docgen writes this file until it has a date at frozen; from then on\n# it is never changed, but for changes, the log of what is different since. docs/spec/README.md says when that is.\nnumber: %q\nrules:\n", nextNumber)
	for _, r := range rulebook.Book() {
		fmt.Fprintf(&b, "  %s: %s\n", r.ID, r.Level)
	}
	return b.Bytes(), nil
}
