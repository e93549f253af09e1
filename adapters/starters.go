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
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/suggest"
)

//go:embed starters/go/*.go starters/python/*.py starters/node/*.mjs starters/java/pom.xml starters/java/src starters/rust/Cargo.toml starters/rust/src
//go:embed python/loopproof_adapter.py node/protocol.mjs java/protocol/Loopproof.java rust/loopproof.rs
var files embed.FS

// half is the file that speaks the protocol: the adapters of libraries use it where it lies, and a starter has a copy.
type half struct {
	file string // under this folder
	name string // in the starter
}

// protocolHalves are those of the languages whose starter is a program of its own.
var protocolHalves = map[string]half{
	"python": {"python/loopproof_adapter.py", "loopproof_adapter.py"},
	"node":   {"node/protocol.mjs", "protocol.mjs"},
	"java":   {"java/protocol/Loopproof.java", "src/main/java/Loopproof.java"},
	"rust":   {"rust/loopproof.rs", "src/loopproof.rs"},
}

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
		text, err = files.ReadFile(half.file)
		all = append(all, File{half.name, text})
	}
	return all, err
}
