// Package exercises is the script of the command try: a conversation for any loop that offers a tool,
// whatever its tools and its prompt are.
//
//	script, err := exercises.Script(vocabulary)
package exercises

import (
	_ "embed"

	"github.com/loopproof/loopproof/internal/scenarios"
)

//go:embed exercises.yaml
var text []byte

// Script returns the script, in the words of the dialects. The error is one of the file.
func Script(v scenarios.Vocabulary) (*scenarios.Scenario, error) {
	return scenarios.Parse("exercises.yaml", text, v)
}
