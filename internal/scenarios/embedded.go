package scenarios

import (
	"io/fs"

	"github.com/loopproof/loopproof"
)

// Files returns the embedded scenario files.
func Files() fs.FS {
	folder, err := fs.Sub(loopproof.Files(), "scenarios")
	if err != nil {
		panic(err) // the name of the folder is well-formed
	}
	return folder
}

// OpenEmbedded returns the scenario of Loopproof that has an id.
func OpenEmbedded(id string, v Vocabulary) (*Scenario, error) {
	return loadFile(Files(), id+ending, v)
}
