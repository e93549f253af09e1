// Docgen writes the documents that are generated from the code: the rulebook, the kill matrix, the variations, the profiles, the
// JSON Schemas, and the packed profiles and scenarios. Run it at the root of the repository, after any change of those:
//
//	go run ./internal/docgen
//
// A test fails when a document is not up to date.
package main

import (
	"fmt"
	"os"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

func main() {
	for _, d := range documents {
		text, err := d.write()
		if err == nil {
			err = os.WriteFile(d.file, text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "docgen: %s: %v\n", d.file, err)
			os.Exit(1)
		}
	}
}

// document is a generated file.
type document struct {
	file  string // from the root of the repository
	write func() ([]byte, error)
}

var documents = []document{
	{"docs/rules.md", ruleChapters},
	{"docs/kill-matrix.md", killMatrix},
	{"docs/variations.md", variationsPage},
	{"docs/profiles.md", profilesPage},
	{"docs/agreement.md", agreementPage},
	{"docs/circumstances.md", circumstancesPage},
	{"docs/profile-keys.md", profileKeys},
	{"docs/report.md", reportPage},
	{"report/schema.json", reportSchema},
	{"scenarios/schema.json", scenarioSchema},
	{"profiles/schema.json", profileSchema},
	{"internal/profiles/packed.bin", profiles.Pack},
	{"internal/scenarios/packed.bin", packedScenarios},
}

func packedScenarios() ([]byte, error) {
	return scenarios.Pack(rulebook.Vocabulary(profiles.Known{}))
}
