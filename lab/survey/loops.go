package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// readLoops reads the descriptions of all loops that this repository can play. The current folder
// is its root.
func readLoops() ([]*matrix.Loop, error) {
	files, err := filepath.Glob(path.Join(matrix.ResultsFolder, "*", matrix.LoopFileName))
	if err != nil {
		return nil, err
	}
	var all []*matrix.Loop
	for _, file := range files {
		l, err := matrix.Described(path.Dir(file))
		if err != nil {
			return nil, err
		}
		if l.Ours() {
			all = append(all, l)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no loop in %s", matrix.ResultsFolder)
	}
	return all, nil
}

// setup returns the commands that set a loop up on this machine. What has to be fetched by hand is
// there or not.
func setup(l *matrix.Loop) ([][]string, error) {
	if l.IsAgent() {
		return [][]string{installed(l)}, nil
	}
	if l.Checkout == "" {
		return l.Language().Setup(l.Adapter), nil
	}
	if _, err := os.Stat(l.Checkout); err != nil {
		return nil, fmt.Errorf("there is no checkout of it at %s: fetch and build it as %s/README.md says, or say where it is with --checkout %s=FOLDER",
			l.Checkout, l.Adapter, l.Name)
	}
	return nil, nil
}
