package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/responses"
)

// TestRequests: each mutant that a description takes has to be known, and what is known has to be
// so.
func TestRequests(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	small := write("small.yaml", "openapi: 3.1.0\ncomponents: {schemas: {CreateResponse: {type: object, properties: {truncation: {enum: [auto, disabled]}}}}}\n")
	all := len(responses.Form().Mutants())
	for _, c := range []struct {
		known, says string
		wrong       int
	}{
		{"{}", "the description takes what breaks egress/service-tier-word: request.service_tier enum", all - 1},
		{"{request.service_tier enum: a reason}", "the description takes what breaks egress/verbosity-word: request.text.verbosity enum", all - 2},
		{"{request.truncation enum: a reason}", "lists a difference that is none: request.truncation enum", all},
		{"{request.truncation word: a reason}", "lists a mutant that there is not: request.truncation word", all},
	} {
		var out strings.Builder
		wrong, err := runRequests(&out, small, described{
			responses.Form(), "CreateResponse", "../../../internal/dialect/responses/responsesrules/testdata/request.json", write("known.yaml", c.known), "",
		})
		if err != nil || wrong != c.wrong || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: %d are wrong, %v, want %d with %q\n%s", c.known, wrong, err, c.wrong, c.says, &out)
		}
	}
}
