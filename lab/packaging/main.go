// Command packaging builds what a release consists of into a folder: archives of the binary for
// each system, the packages for npm and PyPI that contain it, the artifacts for Maven, a Homebrew
// formula, and the checksums. The same commit gives the same bytes. It publishes nothing.
//
//	go run ./packaging --out dist                  all systems
//	go run ./packaging --out dist --binary FILE    only this one, with a binary that is there
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/lab/internal/repository"
)

func main() {
	out := flag.String("out", "", "the `folder` that the files are written to")
	binary := flag.String("binary", "", "pack only this `file`, which is for this system, and build none")
	flag.Parse()
	if err := run(*out, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(out, binary string) error {
	if out == "" {
		return errors.New("name the folder with --out")
	}
	root, err := repository.Root()
	if err != nil {
		return err
	}
	binaries, err := binariesOf(root, binary)
	if err != nil {
		return err
	}
	return release{version: loopproof.Version, source: os.DirFS(root), binaries: binaries}.write(out)
}

// binariesOf builds the binaries for all targets of the repository at root, or reads the one for
// this system.
func binariesOf(root, file string) ([]builtBinary, error) {
	if file != "" {
		t, err := hostTarget()
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		return []builtBinary{{t, data}}, err
	}
	var built []builtBinary
	for _, t := range targets {
		data, err := build(root, t)
		if err != nil {
			return nil, err
		}
		built = append(built, builtBinary{t, data})
	}
	return built, nil
}

// release is what all files of a release are made of.
type release struct {
	version  string
	source   fs.FS // the repository
	binaries []builtBinary
}

type builtBinary struct {
	target
	data []byte
}

// write writes all files of a release, and then their checksums.
func (r release) write(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var made []artifact
	for _, step := range []func() ([]artifact, error){r.archives, r.npmPackages, r.wheels, r.maven} {
		files, err := step()
		if err != nil {
			return err
		}
		made = append(made, files...)
	}
	made = append(made, checksums(made))
	for _, a := range made {
		file := filepath.Join(out, filepath.FromSlash(a.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, a.data, 0o644); err != nil {
			return err
		}
		if filepath.Dir(file) == filepath.Clean(out) {
			fmt.Printf("%s  %.1f MB\n", a.name, float64(len(a.data))/1e6)
		}
	}
	return nil
}
