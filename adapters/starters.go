// Package adapters holds what an author of an adapter begins with: for each language a complete adapter around a small
// loop, which the author replaces, and the half that speaks the protocol. `loopproof init` writes them:
//
//	files, err := adapters.Starter("python")
//
// The folders alongside this file hold adapters for the loops of libraries, which are programs of their own.
package adapters

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/suggest"
)

//go:embed starters/go/*.go starters/python/*.py starters/node/*.mjs starters/java/pom.xml starters/java/src starters/rust/Cargo.toml starters/rust/src
//go:embed python/loopproof_adapter.py node/protocol.mjs
var files embed.FS

// protocolHalves are the files that speak the protocol where the adapters of libraries use the same one.
var protocolHalves = map[string]string{"python": "python/loopproof_adapter.py", "node": "node/protocol.mjs"}

// File is a file of a starter.
type File struct {
	Name string // from the folder of the adapter, with slashes
	Text []byte
}

// Languages returns the languages for which there is a starter.
func Languages() []string { return []string{"go", "python", "node", "java", "rust"} }

// Starter returns the files of the starter for a language. The error says that there is none.
func Starter(language string) ([]File, error) {
	if !slices.Contains(Languages(), language) {
		return nil, fmt.Errorf("there is no starter for %q%s; there are %s", language, suggest.Hint(language, Languages()), strings.Join(Languages(), ", "))
	}
	root := "starters/" + language
	var all []File
	err := fs.WalkDir(files, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		all = append(all, File{strings.TrimPrefix(name, root+"/"), text})
		return err
	})
	if half, ok := protocolHalves[language]; ok && err == nil {
		var text []byte
		text, err = files.ReadFile(half)
		all = append(all, File{path.Base(half), text})
	}
	return all, err
}
