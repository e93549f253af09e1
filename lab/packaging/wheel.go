package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// wheels returns the package loopproof of PyPI, one file for each system. The binary is a script of
// the wheel, so that it is the command itself and no Python starts before it. The form is that of
// https://packaging.python.org/en/latest/specifications/binary-distribution-format/.
func (r release) wheels() ([]artifact, error) {
	var made []artifact
	for _, b := range r.binaries {
		a, err := r.wheel(b)
		if err != nil {
			return nil, err
		}
		made = append(made, a)
	}
	return made, nil
}

func (r release) wheel(b builtBinary) (artifact, error) {
	entries, err := r.pythonModules()
	if err != nil {
		return artifact{}, err
	}
	base := "loopproof-" + r.version
	entries = append(entries, entry{base + ".data/scripts/" + b.binary(), b.data, true})
	info, err := r.wheelInfo(b.target)
	if err != nil {
		return artifact{}, err
	}
	for _, e := range info {
		e.name = base + ".dist-info/" + e.name
		entries = append(entries, e)
	}
	entries = append(entries, recordOf(entries, base+".dist-info/RECORD"))
	data, err := zipped(entries)
	return artifact{fmt.Sprintf("%s-py3-none-%s.whl", base, b.wheelPlatforms), data}, err
}

// pythonModules returns the modules of packages/python, and the adapter's half of the protocol.
func (r release) pythonModules() ([]entry, error) {
	modules, err := r.folder("packages/python/loopproof")
	if err != nil {
		return nil, err
	}
	shared, err := r.entries("packages/starters/protocol/python/loopproof_adapter.py")
	if err != nil {
		return nil, err
	}
	shared[0].name = "adapter.py"
	modules = append(modules, shared...)
	for i := range modules {
		modules[i].name = "loopproof/" + modules[i].name
	}
	return modules, nil
}

// wheelInfo returns the files about a wheel.
func (r release) wheelInfo(t target) ([]entry, error) {
	read, err := r.entries("packages/python/METADATA", "packages/python/README.md", "packages/python/entry_points.txt", "LICENSE")
	if err != nil {
		return nil, err
	}
	metadata, readme, entryPoints, licence := read[0], read[1], read[2], read[3]
	text := strings.ReplaceAll(string(metadata.data), "VERSION", r.version)
	metadata.data = []byte(strings.TrimRight(text, "\n") + "\n\n" + string(readme.data))
	licence.name = "licenses/LICENSE"
	about := "Wheel-Version: 1.0\nGenerator: loopproof\nRoot-Is-Purelib: false\n"
	for platform := range strings.SplitSeq(t.wheelPlatforms, ".") {
		about += "Tag: py3-none-" + platform + "\n"
	}
	return []entry{metadata, {name: "WHEEL", data: []byte(about)}, entryPoints, licence}, nil
}

// recordOf returns the list of the files of a wheel with their hashes, which pip verifies.
func recordOf(entries []entry, name string) entry {
	var b strings.Builder
	for _, e := range entries {
		sum := sha256.Sum256(e.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.data))
	}
	b.WriteString(name + ",,\n")
	return entry{name: name, data: []byte(b.String())}
}
