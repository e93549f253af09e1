// Package scenarios loads scripted conversations. Each is a YAML file that is independent of the wire API, and is played in
// every dialect that can express it. docs/scenarios.md describes the keys.
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
// The scenarios of Loopproof are embedded; [Load] reads others.
package scenarios

import (
	"io/fs"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Scenario is a scripted conversation: what the model says at each step, how each tool behaves, and the expected outcome.
// The format of the file is stable; of the type, only ID, Title and Rules are.
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
// scenario is its path without the extension. Scenarios may refer to the embedded profiles and to the given ones. The error
// joins the errors of all files. The folder of an [os.Root] does not follow symbolic links that lead out of it.
func Load(folder fs.FS, own ...*profiles.Profile) ([]*Scenario, error) {
	return scenarios.Load(folder, vocabulary(own))
}

// Parse reads one scenario file that refers to no other file. The id of the scenario is the path of the file without the
// extension.
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
