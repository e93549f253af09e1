package scenarios

import (
	_ "embed" // for the packed scenarios
	"io/fs"
	"sync"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

// Files returns the embedded scenario files.
func Files() fs.FS {
	folder, err := fs.Sub(loopproof.Files(), "scenarios")
	if err != nil {
		panic(err) // the name of the folder is well-formed
	}
	return folder
}

// packed are the embedded scenarios in a form that is read faster than YAML, made by internal/docgen. A scenario whose text has
// changed since then is read as YAML, and checked.
//
//go:embed packed.bin
var packed string

var packs = sync.OnceValue(func() strictyaml.Packs { return strictyaml.OpenPacks(packed) })

// Pack checks the embedded scenarios, and returns them in the form of the file packed.bin.
func Pack(v Vocabulary) ([]byte, error) {
	if _, err := Load(Files(), v); err != nil {
		return nil, err
	}
	files, err := filesBelow(Files())
	if err != nil {
		return nil, err
	}
	return strictyaml.PackAll(Files(), files)
}

// Embedded returns the scenarios of Loopproof.
func Embedded(v Vocabulary) ([]*Scenario, error) { return loadAll(Files(), v, openEmbedded) }

// OpenEmbedded returns the scenario of Loopproof that has an id.
func OpenEmbedded(id string, v Vocabulary) (*Scenario, error) {
	return openEmbedded(Files(), id+ending, v)
}

func openEmbedded(folder fs.FS, file string, v Vocabulary) (*Scenario, error) {
	data, err := fs.ReadFile(folder, file)
	if err != nil {
		return nil, err
	}
	if doc := packs().Read(file, data); doc != nil {
		return read(nil, file, data, doc, v) // none has files beside it
	}
	return parseBelow(folder, file, data, v)
}
