// Package starters holds what an author of an adapter begins with: for each language a complete
// adapter around a small loop, which the author replaces, and the half that speaks the protocol.
// `loopproof init` writes them:
//
//	files, err := starters.Starter("python")
//
// The starter of an application is a script, which the mock provider plays.
//
// Beside them are two adapters that are complete programs: one-file is the one of docs/adapters.md,
// and plain-loop a correct loop that claims nearly every feature.
package starters

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/suggest"
)

//go:embed go/*.go python/*.py node/*.mjs typescript/*.mts typescript/tsconfig.json java/pom.xml java/src rust/Cargo.toml rust/src script protocol
var files embed.FS

// half is the file that speaks the protocol: the adapters of public loops, in lab/adapters, use it
// where it lies, and a starter has a copy.
type half struct {
	file string // under this folder
	name string // in the starter
}

// protocolHalves are those of the languages whose starter is a program of its own.
var protocolHalves = map[string][]half{
	"python":     {{"protocol/python/loopproof_adapter.py", "loopproof_adapter.py"}},
	"node":       nodeHalves,
	"typescript": nodeHalves,
	"java":       {{"protocol/java/Loopproof.java", "src/main/java/Loopproof.java"}},
	"rust":       {{"protocol/rust/loopproof.rs", "src/loopproof.rs"}},
}

// nodeHalves are those of JavaScript, with their types, which editors use, too.
var nodeHalves = []half{{"protocol/node/protocol.mjs", "protocol.mjs"}, {"protocol/node/protocol.d.mts", "protocol.d.mts"}}

// File is a file of a starter.
type File struct {
	Name string // from the folder of the adapter, with slashes
	Text []byte
}

// Languages returns the languages for which there is a starter.
func Languages() []string { return []string{"go", "python", "node", "typescript", "java", "rust"} }

// script is the starter of those who test an application with the mock provider.
const script = "script"

// Starter returns the files of the starter for a language, or those of "script", for tests of an
// application. The error says that there is none.
func Starter(language string) ([]File, error) {
	if known := append(Languages(), script); !slices.Contains(known, language) {
		return nil, fmt.Errorf("there is no starter for %q%s; there are %s", language, suggest.Hint(language, known), strings.Join(known, ", "))
	}
	var all []File
	err := fs.WalkDir(files, language, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		all = append(all, File{strings.TrimPrefix(name, language+"/"), text})
		return err
	})
	for _, half := range protocolHalves[language] {
		var text []byte
		if err == nil {
			text, err = files.ReadFile(half.file)
			all = append(all, File{half.name, text})
		}
	}
	return all, err
}
