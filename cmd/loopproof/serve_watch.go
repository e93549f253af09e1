package main

import (
	"os"

	"github.com/loopproof/loopproof/internal/operations"
	"github.com/loopproof/loopproof/mockprovider"
)

// watch reads the scenarios again whenever their files change.
func (v *service) watch(provider *mockprovider.Provider) (*operations.Watcher, error) {
	var names []string
	for _, name := range v.flags.scenarios {
		if _, err := os.Stat(name); err == nil { // not the id of one of ours
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		v.log("--watch has nothing to look at: no --scenario is a file or a folder")
	}
	return operations.Watch(names, func() []string { return v.read(names) }, func() {
		err := v.reload(provider)
		v.operations.metrics.Reloaded(err)
		if err != nil {
			v.log("the scenarios are played as before, since they cannot be read again:\n%v", err)
			return
		}
		v.log("%s read again and played from now on", counted(len(v.scenarios), "scenario is", "scenarios are"))
	})
}

// read returns the files that are read from files and folders: the scenarios that lie there now, and the files that those
// name which are played.
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

// reload plays what the files say by now. When they cannot be read all stays as it was.
func (v *service) reload(provider *mockprovider.Provider) error {
	next := *v
	next.scenarios, next.beside = nil, nil
	if err := next.load(v.library); err != nil {
		return err
	}
	if err := provider.Play(next.scenarios); err != nil {
		return err
	}
	v.scenarios, v.beside = next.scenarios, next.beside
	return nil
}
