package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// language says how adapters in it are set up and started.
type language struct {
	setup func(folder string) [][]string // commands, from the root of the repository
	start func(folder string) []string
}

var languages = map[string]language{
	"go": {
		setup: func(folder string) [][]string {
			return [][]string{{"go", "build", "-C", folder, "-o", path.Base(folder), "."}}
		},
		start: func(folder string) []string { return []string{path.Join(folder, path.Base(folder))} },
	},
	"java": {
		setup: func(folder string) [][]string {
			return [][]string{{"mvn", "--batch-mode", "--quiet", "--file", folder, "package"}}
		},
		start: func(folder string) []string { return []string{"java", "-jar", path.Join(folder, "target/adapter.jar")} },
	},
	"node": {
		setup: func(folder string) [][]string {
			return [][]string{{"npm", "ci", "--no-audit", "--no-fund", "--prefix", folder}}
		},
		start: func(folder string) []string { return []string{"node", path.Join(folder, "adapter.mjs")} },
	},
	"python": {
		setup: func(folder string) [][]string {
			return [][]string{
				{"python3", "-m", "venv", path.Join(folder, ".venv")},
				{path.Join(folder, ".venv/bin/pip"), "install", "--quiet", "--requirement", path.Join(folder, "requirements.txt")},
			}
		},
		start: func(folder string) []string {
			return []string{path.Join(folder, ".venv/bin/python"), path.Join(folder, "adapter.py")}
		},
	},
	"rust": {
		setup: func(folder string) [][]string {
			return [][]string{{"cargo", "build", "--quiet", "--locked", "--manifest-path", path.Join(folder, "Cargo.toml")}}
		},
		start: func(folder string) []string { return []string{path.Join(folder, "target/debug", path.Base(folder))} },
	},
}

// languageNames returns the languages, in order.
func languageNames() string {
	return strings.Join(slices.Sorted(maps.Keys(languages)), ", ")
}

// setup returns the commands that set a loop up. What has to be fetched by hand is there or not.
func (l loop) setup() ([][]string, error) {
	if l.isAgent() {
		return [][]string{l.installed()}, nil
	}
	if l.Checkout == "" {
		return languages[l.language()].setup(l.Adapter), nil
	}
	if _, err := os.Stat(l.Checkout); err != nil {
		return nil, fmt.Errorf("there is no checkout of it at %s: fetch and build it as %s/README.md says, or say where it is with --checkout %s=FOLDER",
			l.Checkout, l.Adapter, l.Name)
	}
	return nil, nil
}
