// Package scenarios loads scripted conversations. Each is a YAML file that is independent of the
// wire API, and is played in every dialect that can express it. docs/scenarios.md describes the
// keys.
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
	"slices"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/opaque"
	internalprofiles "github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/profiles"
)

// Scenario is a scripted conversation: what the model says at each step, how each tool behaves, and
// the expected outcome. Get one with [Load], [Parse] or [All].
type Scenario struct{ box }

type box = opaque.Box[*scenarios.Scenario]

// ID returns the id of the scenario: the path of its file, without the extension.
func (s *Scenario) ID() string { return opaque.Open(s).ID }

// Title returns what the scenario shows, in a few words.
func (s *Scenario) Title() string { return opaque.Open(s).Title }

// Rules returns the ids of the rules that the scenario was written for.
func (s *Scenario) Rules() []string { return slices.Clone(opaque.Open(s).Rules) }

// All returns the embedded scenarios, sorted by id.
func All() []*Scenario {
	all, err := catalog.Scenarios(nil, internalprofiles.Known{})
	if err != nil {
		panic(err) // a test reads every embedded file
	}
	return wrapped(all)
}

// Load reads every .yaml file in a folder, such as os.DirFS("testdata/scripts"), and in the folders
// below it. The id of a scenario is its path without the extension. Scenarios may refer to the
// embedded profiles and to the given ones. The error joins the errors of all files. The folder of
// an [os.Root] does not follow symbolic links that lead out of it.
func Load(folder fs.FS, own ...*profiles.Profile) ([]*Scenario, error) {
	all, err := scenarios.Load(folder, vocabulary(own))
	if err != nil {
		return nil, err
	}
	return wrapped(all), nil
}

// Parse reads one scenario file that refers to no other file. The id of the scenario is the path of
// the file without the extension.
func Parse(file, text string, own ...*profiles.Profile) (*Scenario, error) {
	s, err := scenarios.Parse(file, []byte(text), vocabulary(own))
	if err != nil {
		return nil, err
	}
	return &Scenario{opaque.Of(s)}, nil
}

func wrapped(all []*scenarios.Scenario) []*Scenario {
	out := make([]*Scenario, len(all))
	for i, s := range all {
		out[i] = &Scenario{opaque.Of(s)}
	}
	return out
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
	var known internalprofiles.Known
	for _, p := range own {
		known.Own = append(known.Own, opaque.Open(p))
	}
	return rulebook.Vocabulary(known)
}
