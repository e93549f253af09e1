package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/files"
)

// source is a file that is imported.
type source struct {
	name   string
	folder string // in which it was found, where it may be something else, or "" if it was named
}

// sourcesOf returns the files of a command line, with those in its folders.
func sourcesOf(names []string) ([]source, error) {
	var all []source
	for _, name := range names {
		info, err := statNamed(name, "a file to import or a folder of them")
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			all = append(all, source{name: name})
			continue
		}
		below, err := importable(name)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("the folder %s has no .json, .yaml, .yml or .har file", name)
		}
		for _, file := range below {
			all = append(all, source{name: file, folder: name})
		}
	}
	return all, nil
}

// check returns an error if a file that was found leads out of its folder.
func (s source) check() error {
	if s.folder == "" {
		return nil
	}
	name, err := filepath.Rel(s.folder, s.name)
	if err != nil {
		return err
	}
	return files.CheckIn(s.folder, name)
}

// importable returns the files of a folder, and then those of its subfolders, which is the order of
// aimock. The bodies of WireMock are read where a mapping names them.
func importable(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder) // sorted
	if err != nil {
		return nil, err
	}
	var files, below []string
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."), entry.Name() == "__files", entry.Name() == "node_modules":
		case entry.IsDir():
			more, err := importable(name)
			if err != nil {
				return nil, err
			}
			below = append(below, more...)
		case slices.Contains([]string{".json", ".yaml", ".yml", ".har"}, filepath.Ext(name)):
			files = append(files, name)
		}
	}
	return append(files, below...), nil
}
