package pairs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/lab/internal/adapterrun"
)

// language says how an adapter in it is installed with chosen versions, in a folder of its own, and
// started from there.
type language struct {
	file     string // by which an adapter in the language is known
	manifest func(folder string, pins map[string]string) error
	install  func(folder string) [][]string
	start    func(folder, adapter string) []string
}

var languages = []language{
	{
		file:     "adapter.mjs",
		manifest: writePackageJSON,
		install: func(folder string) [][]string {
			return [][]string{{"npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error", "--prefix", folder}}
		},
		// Node looks for packages beside the file, so that the adapter is copied.
		start: func(folder, _ string) []string { return []string{"node", filepath.Join(folder, "adapter.mjs")} },
	},
	{
		file:     "adapter.py",
		manifest: writeRequirements,
		install: func(folder string) [][]string {
			return [][]string{
				{"python3", "-m", "venv", filepath.Join(folder, ".venv")},
				{filepath.Join(folder, ".venv/bin/pip"), "install", "--quiet", "--disable-pip-version-check", "--requirement", filepath.Join(folder, "requirements.txt")},
			}
		},
		start: func(folder, adapter string) []string {
			return []string{filepath.Join(folder, ".venv/bin/python"), path.Join(adapter, "adapter.py")}
		},
	},
}

// writePackageJSON pins packages also where other packages depend on them.
func writePackageJSON(folder string, pins map[string]string) error {
	data, err := json.MarshalIndent(map[string]any{"private": true, "type": "module", "dependencies": pins, "overrides": pins}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "package.json"), data, 0o666)
}

func writeRequirements(folder string, pins map[string]string) error {
	return os.WriteFile(filepath.Join(folder, "requirements.txt"), []byte(strings.Join(pinned(pins, "=="), "\n")+"\n"), 0o666)
}

// pinned lists packages with their versions.
func pinned(pins map[string]string, between string) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(pins)) {
		all = append(all, name+between+pins[name])
	}
	return all
}

// installed says in a folder that everything in it was installed.
const installed = "installed"

// install installs one side of a pair below the cache, unless it is there, and returns the command
// that starts its adapter. Pairs with the same packages share a folder.
func install(ctx context.Context, cache string, p pair, s side, tell func([]string)) ([]string, error) {
	l, err := p.language()
	if err != nil {
		return nil, err
	}
	root := filepath.Join(cache, p.folder(s))
	folder := filepath.Join(root, p.Adapter)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	if err := copyModules(root, p.Adapter, protocolForNode); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(folder, installed)); err != nil {
		if err := l.manifest(folder, p.pins(s)); err != nil {
			return nil, err
		}
		for i, command := range l.install(folder) {
			tell(command)
			if err := adapterrun.Logged(ctx, filepath.Join(folder, fmt.Sprintf("install-%d.log", i+1)), command); err != nil {
				return nil, err
			}
		}
		if err := os.WriteFile(filepath.Join(folder, installed), nil, 0o666); err != nil {
			return nil, err
		}
	}
	return append(l.start(folder, p.Adapter), p.Args...), nil
}

// folder names the folder of a side: the version, to be read by people, and a digest of all pins.
func (p pair) folder(s side) string {
	sum := sha256.Sum256([]byte(p.Adapter + "\n" + strings.Join(pinned(p.pins(s), "@"), "\n")))
	name := strings.NewReplacer("@", "", "/", "-", "[", "-", "]", "", ",", "-").Replace(p.Package)
	return name + "-" + p.version(s) + "-" + hex.EncodeToString(sum[:4])
}

// protocolForNode is the folder of the half of the protocol that adapters for Node import.
const protocolForNode = "packages/starters/protocol/node"

// copyModules copies the modules for Node of some folders, into the same folders below another
// root.
func copyModules(root string, folders ...string) error {
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.mjs"))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(root, folder), 0o777); err != nil {
			return err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(root, file), data, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}
