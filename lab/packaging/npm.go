package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"

	"github.com/tidwall/sjson"
)

// npmPackages returns the package loopproof and the packages of its binaries, one for each system.
// It has all of these as optional dependencies, of which npm installs the one that fits.
func (r release) npmPackages() ([]artifact, error) {
	var made []artifact
	optional := map[string]string{}
	for _, t := range targets {
		optional[t.npmName()] = r.version
	}
	for _, b := range r.binaries {
		a, err := r.npmBinary(b)
		if err != nil {
			return nil, err
		}
		made = append(made, a)
	}
	main, err := r.npmMain(optional)
	return append(made, main), err
}

// npmName is the name of the package with the binary for a system.
func (t target) npmName() string { return fmt.Sprintf("@loopproof/%s-%s", t.npmOS, t.npmCPU) }

// npmBinary returns the package with one binary.
func (r release) npmBinary(b builtBinary) (artifact, error) {
	about, err := r.npmManifest()
	if err != nil {
		return artifact{}, err
	}
	manifest := map[string]any{
		"name":            b.npmName(),
		"version":         r.version,
		"description":     fmt.Sprintf("The binary of Loopproof for %s on %s. Install the package loopproof instead.", b.npmOS, b.npmCPU),
		"os":              []string{b.npmOS},
		"cpu":             []string{b.npmCPU},
		"preferUnplugged": true, // Yarn would leave the binary in an archive
	}
	for _, key := range []string{"license", "homepage", "repository", "bugs", "publishConfig"} {
		manifest[key] = about[key]
	}
	entries, err := r.entries("LICENSE")
	if err != nil {
		return artifact{}, err
	}
	readme := fmt.Sprintf("# %s\n\n%s\n", b.npmName(), manifest["description"])
	entries = append(entries, entry{name: "README.md", data: []byte(readme)}, entry{name: path.Join("bin", b.binary()), data: b.data, executable: true})
	text, err := json.Marshal(manifest)
	if err != nil {
		return artifact{}, err
	}
	return npmTarball(fmt.Sprintf("loopproof-%s-%s-%s.tgz", b.npmOS, b.npmCPU, r.version), text, entries)
}

// npmMain returns the package that people install: the files of packages/npm, and the adapter's
// half of the protocol.
func (r release) npmMain(optional map[string]string) (artifact, error) {
	read, err := r.entries("packages/npm/package.json", "LICENSE")
	if err != nil {
		return artifact{}, err
	}
	manifest, entries := read[0].data, read[1:]
	// The order of its keys is kept, since the first condition of an export that fits is taken.
	if manifest, err = sjson.SetBytes(manifest, "version", r.version); err != nil {
		return artifact{}, err
	}
	if manifest, err = sjson.SetBytes(manifest, "optionalDependencies", optional); err != nil {
		return artifact{}, err
	}
	if manifest, err = sjson.DeleteBytes(manifest, "private"); err != nil {
		return artifact{}, err
	}
	files, err := r.folder("packages/npm")
	if err != nil {
		return artifact{}, err
	}
	for _, f := range files {
		switch {
		case f.name == "package.json":
			continue
		case path.Dir(f.name) == "bin":
			f.executable = true
		}
		entries = append(entries, f)
	}
	shared, err := r.entries("packages/starters/protocol/node/protocol.mjs", "packages/starters/protocol/node/protocol.d.mts")
	if err != nil {
		return artifact{}, err
	}
	shared[0].name, shared[1].name = "adapter.js", "adapter.d.ts"
	return npmTarball(fmt.Sprintf("loopproof-%s.tgz", r.version), manifest, append(entries, shared...))
}

func (r release) npmManifest() (map[string]any, error) {
	read, err := r.entries("packages/npm/package.json")
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := json.Unmarshal(read[0].data, &m); err != nil {
		return nil, fmt.Errorf("packages/npm/package.json: %w", err)
	}
	return m, nil
}

func npmTarball(name string, manifest []byte, entries []entry) (artifact, error) {
	var text bytes.Buffer
	if err := json.Indent(&text, manifest, "", "  "); err != nil {
		return artifact{}, err
	}
	data, err := tarGz("package", append([]entry{{name: "package.json", data: text.Bytes()}}, entries...))
	return artifact{name, data}, err
}
