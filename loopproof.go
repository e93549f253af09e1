// Package loopproof holds the version of Loopproof and its data: the scenarios, the profiles and
// their JSON Schemas.
//
// Programs use other packages of this module: suite judges an agent loop in go test, mockprovider
// plays a model provider in the tests of an application, scenarios and profiles load files, report
// reads the report of a run, and protocol has the lines that an adapter reads and writes.
package loopproof

import (
	"embed"
	"io/fs"
	"os"
)

// Version is the version of Loopproof.
const Version = "0.1.0"

//go:embed profiles/*.yaml profiles/schema.json scenarios/*/*.yaml scenarios/schema.json internal/scenarios/conversations/*.yaml
var files embed.FS

// CheckoutVariable is the environment variable that names a checkout of this repository, whose
// scenarios and profiles are then read instead of the embedded ones. `loopproof --repo DIR` sets
// it.
const CheckoutVariable = "LOOPPROOF_REPO"

// Files returns the data files of Loopproof, under their paths in the repository:
// profiles/NAME.yaml, scenarios/AREA/NAME.yaml, a schema.json in each of the two folders, and
// internal/scenarios/conversations/NAME.yaml. They are embedded, unless [CheckoutVariable] names a
// checkout.
func Files() fs.FS {
	if dir := os.Getenv(CheckoutVariable); dir != "" {
		return os.DirFS(dir)
	}
	return files
}
