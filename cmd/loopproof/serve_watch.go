package main

import (
	"os"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/operations"
)

// watch reloads the scenarios whenever their files change.
func (v *service) watch(provider *engine.Provider) (*operations.Watcher, error) {
	var names []string
	for _, name := range v.flags.scenarios {
		if _, err := os.Stat(name); err == nil { // a file or a folder, not an id
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		v.log("--watch has no effect: no --scenario is a file or a folder")
	}
	return operations.Watch(names, func() []string { return v.read(names) }, func() {
		err := v.reload(provider)
		v.operations.metrics.Reloaded(err)
		if err != nil {
			v.warn("the scenarios cannot be reloaded; the old ones stay:\n%v", err)
			return
		}
		v.log("%s reloaded", count(len(v.scenarios), "scenario"))
	})
}

// read returns the files to watch: the scenarios that are there now, and the files that the loaded
// ones name.
func (v *service) read(names []string) []string {
	var files []string
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			below, _ := yamlBelow(name)
			files = append(files, below...)
			continue
		}
		files = append(files, name)
	}
	return append(files, v.beside...)
}

// reload reads the files again. If one is invalid, nothing changes.
func (v *service) reload(provider *engine.Provider) error {
	next := *v
	next.scenarios, next.beside = nil, nil
	if err := next.load(); err != nil {
		return err
	}
	if err := provider.Play(next.scenarios); err != nil {
		return err
	}
	v.scenarios, v.beside = next.scenarios, next.beside
	return nil
}
