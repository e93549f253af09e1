// Package repository finds the checkout that the programs of the laboratory work on, from wherever
// in it they are started:
//
//	root, err := repository.Root()
//	build.Dir = root
package repository

import (
	"errors"
	"os"
	"path/filepath"
)

// Root returns the absolute path of the repository that the working directory lies in: the folder
// of loopproof.go.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "loopproof.go")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("start it in a checkout of the repository, where loopproof.go is")
		}
	}
}

// Enter makes the root of the repository the working directory, for programs whose paths are all
// from there.
func Enter() error {
	root, err := Root()
	if err != nil {
		return err
	}
	return os.Chdir(root)
}
