// Package scenarios loads scripted conversations: one YAML file each, written in neutral words and played in every dialect
// that can say them. docs/scenarios.md describes the keys of a file.
//
//	# Lima's tool finishes first: results are matched by id, not by arrival.
//	loopproof: 1
//	title: Parallel results carry the id of the call they answer
//	rules: [pairing/result-carries-its-call-id]
//	needs: [parallel-calls]
//	prompt: Compare the weather in Oslo and Lima.
//	tools:
//	  get_weather:
//	    parameters: {city: string}
//	    results:
//	      - {when: {city: Oslo}, after: 50ms, text: 4 C}
//	      - {when: {city: Lima}, text: 19 C}
//	model:
//	  - calls:
//	      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
//	      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
//	  - text: Lima is warmer.
//
// The scenarios of Loopproof are embedded; [Load] reads others in the same form.
package scenarios

import (
	"io/fs"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Scenario is a scripted conversation: what the model says at each step, how each tool behaves, and what must come out. The
// promise is the form of its file; what a program should read of it are ID, Title, and Rules, those for which it gives
// evidence.
type Scenario = scenarios.Scenario

// All returns the embedded scenarios, sorted by id.
func All() []*Scenario {
	all, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		panic(err) // a test reads every embedded file
	}
	return all
}

// Load reads every .yaml file in a folder, such as os.DirFS("testdata/scripts"), and in the folders below it. The id of a
// scenario is its path without the ending. Scenarios may speak of the embedded profiles and of own ones. The error joins all
// that is wrong in all files.
func Load(folder fs.FS, own ...*profiles.Profile) ([]*Scenario, error) {
	return scenarios.Load(folder, vocabulary(own))
}

// Parse reads one scenario file that needs no other. The id of the scenario is the path of the file without its ending.
func Parse(file, text string, own ...*profiles.Profile) (*Scenario, error) {
	return scenarios.Parse(file, []byte(text), vocabulary(own))
}

// Schema returns the JSON Schema of scenario files, for editors and other tools.
func Schema() []byte {
	schema, err := fs.ReadFile(loopproof.Files(), "scenarios/schema.json")
	if err != nil {
		panic(err) // the file is embedded
	}
	return schema
}

func vocabulary(own []*profiles.Profile) scenarios.Vocabulary {
	return rulebook.Vocabulary(profiles.Known{Own: own})
}
