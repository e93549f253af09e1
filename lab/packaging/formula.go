package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"text/template"
)

// formulaFile is the template of the Homebrew formula. A formula, and not a cask, because macOS
// quarantines what comes from casks unless it is signed, and because it installs on Linux, too.
const formulaFile = "packages/homebrew/loopproof.rb.tmpl"

type brewSystem struct {
	Name     string // of the block on_NAME
	Archives []brewArchive
}

type brewArchive struct{ CPU, URL, SHA256 string }

// formula returns the Homebrew formula for archives, which says where they are and what their
// hashes are.
func (r release) formula(archives []artifact) (artifact, error) {
	text, err := fs.ReadFile(r.source, formulaFile)
	if err != nil {
		return artifact{}, err
	}
	t, err := template.New(formulaFile).Parse(string(text))
	if err != nil {
		return artifact{}, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, struct {
		Version string
		Systems []brewSystem
	}{r.version, r.brewSystems(archives)})
	return artifact{"loopproof.rb", out.Bytes()}, err
}

// brewSystems returns the archives for the systems that have Homebrew. They are in the order of the
// binaries.
func (r release) brewSystems(archives []artifact) []brewSystem {
	var systems []brewSystem
	for _, name := range []string{"macos", "linux"} {
		s := brewSystem{Name: name}
		for i, b := range r.binaries {
			if map[string]string{"darwin": "macos", "linux": "linux"}[b.os] == name {
				s.Archives = append(s.Archives, brewArchive{
					CPU:    map[string]string{"amd64": "intel", "arm64": "arm"}[b.arch],
					URL:    fmt.Sprintf("https://github.com/loopproof/loopproof/releases/download/v%s/%s", r.version, archives[i].name),
					SHA256: fmt.Sprintf("%x", sha256.Sum256(archives[i].data)),
				})
			}
		}
		systems = append(systems, s)
	}
	return systems
}
