package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof"
)

// everywhere is a release for all targets, with a few bytes instead of each binary.
func everywhere() release {
	r := release{version: "1.2.3", source: os.DirFS("../..")}
	for _, t := range targets {
		r.binaries = append(r.binaries, builtBinary{t, []byte("binary for " + t.os + "/" + t.arch)})
	}
	return r
}

func made(t *testing.T, step func() ([]artifact, error)) map[string][]byte {
	t.Helper()
	files, err := step()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string][]byte{}
	for _, a := range files {
		byName[a.name] = a.data
	}
	return byName
}

// untar returns the files of a .tar.gz; those that can be executed have a star behind their name.
func untar(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	r := tar.NewReader(packed)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		name := h.Name
		if h.Mode&0o111 != 0 {
			name += "*"
		}
		if files[name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

func unzip(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range r.File {
		name := f.Name
		if f.Mode()&0o111 != 0 {
			name += "*"
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestArchives(t *testing.T) {
	files := made(t, everywhere().archives)
	if len(files) != len(targets)+1 {
		t.Fatalf("there are %d archives and formulas", len(files))
	}
	mac := untar(t, files["loopproof_1.2.3_darwin_arm64.tar.gz"])
	if got := string(mac["loopproof_1.2.3_darwin_arm64/loopproof*"]); got != "binary for darwin/arm64" {
		t.Errorf("the program is %q in %v", got, mac)
	}
	windows := unzip(t, files["loopproof_1.2.3_windows_amd64.zip"])
	if got := string(windows["loopproof_1.2.3_windows_amd64/loopproof.exe*"]); got != "binary for windows/amd64" {
		t.Errorf("the program is %q", got)
	}
	for _, doc := range []string{"LICENSE", "README.md"} {
		if len(mac["loopproof_1.2.3_darwin_arm64/"+doc]) == 0 || len(windows["loopproof_1.2.3_windows_amd64/"+doc]) == 0 {
			t.Errorf("an archive has no %s", doc)
		}
	}
}

// The formula names the archive of each system that has Homebrew, with its hash.
func TestFormula(t *testing.T) {
	files := made(t, everywhere().archives)
	formula := string(files["loopproof.rb"])
	for _, system := range []struct{ name, file string }{{"macos", "darwin"}, {"linux", "linux"}} {
		for _, cpu := range []struct{ name, file string }{{"intel", "amd64"}, {"arm", "arm64"}} {
			archive := "loopproof_1.2.3_" + system.file + "_" + cpu.file + ".tar.gz"
			want := fmt.Sprintf("    on_%s do\n      url \"https://github.com/loopproof/loopproof/releases/download/v1.2.3/%s\"\n      sha256 \"%x\"\n    end\n",
				cpu.name, archive, sha256.Sum256(files[archive]))
			_, block, _ := strings.Cut(formula, "  on_"+system.name+" do\n")
			if block, _, _ = strings.Cut(block, "\n  end\n"); !strings.Contains(block+"\n", want) {
				t.Errorf("on_%s has no\n%s\nbut\n%s", system.name, want, block)
			}
		}
	}
	if !strings.Contains(formula, "  version \"1.2.3\"\n") {
		t.Errorf("the formula is\n%s", formula)
	}
}

// The package loopproof names the package of each system, in its own version.
func TestNPMPackages(t *testing.T) {
	files := made(t, everywhere().npmPackages)
	main := untar(t, files["loopproof-1.2.3.tgz"])
	var manifest struct {
		Version      string
		Private      bool
		Bin          map[string]string
		Exports      map[string]json.RawMessage
		Dependencies map[string]string `json:"optionalDependencies"`
	}
	if err := json.Unmarshal(main["package/package.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Version != "1.2.3" || manifest.Private || len(manifest.Dependencies) != len(targets) {
		t.Errorf("the package is %+v", manifest)
	}
	if _, ok := main["package/"+manifest.Bin["loopproof"]+"*"]; !ok {
		t.Errorf("there is no program %s", manifest.Bin["loopproof"])
	}
	for name, export := range manifest.Exports {
		if types := strings.Index(string(export), `"types"`); types > strings.Index(string(export), `"default"`) {
			t.Errorf("%s: the types come too late to be found in %s", name, export)
		}
		for _, file := range exported(export) {
			if _, ok := main[path.Join("package", file)]; !ok {
				t.Errorf("%s exports %s, which is not in the package", name, file)
			}
		}
	}
	for name, version := range manifest.Dependencies {
		file := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version + ".tgz"
		binary := untar(t, files[file])
		var about struct{ Name, Version string }
		if err := json.Unmarshal(binary["package/package.json"], &about); err != nil || about.Name != name || about.Version != version {
			t.Errorf("%s has %+v, %v", file, about, err)
		}
		if len(binary["package/bin/loopproof*"])+len(binary["package/bin/loopproof.exe*"]) == 0 {
			t.Errorf("%s has no program", file)
		}
	}
}

// exported returns the files of an entry of exports.
func exported(entry json.RawMessage) []string {
	var file string
	if json.Unmarshal(entry, &file) == nil {
		return []string{file}
	}
	var byCondition map[string]string
	json.Unmarshal(entry, &byCondition)
	var all []string
	for _, file := range byCondition {
		all = append(all, file)
	}
	return all
}

// Each file of a wheel is in its record with its hash, else pip does not install it.
func TestWheels(t *testing.T) {
	files := made(t, everywhere().wheels)
	if len(files) != len(targets) {
		t.Fatalf("there are %d wheels", len(files))
	}
	for name, data := range files {
		wheel := unzip(t, data)
		var record strings.Builder
		for file, content := range wheel {
			if file = strings.TrimSuffix(file, "*"); file != "loopproof-1.2.3.dist-info/RECORD" {
				sum := sha256.Sum256(content)
				fmt.Fprintf(&record, "%s,sha256=%s,%d\n", file, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
			}
		}
		record.WriteString("loopproof-1.2.3.dist-info/RECORD,,\n")
		if diff := cmp.Diff(lines(record.String()), lines(string(wheel["loopproof-1.2.3.dist-info/RECORD"]))); diff != "" {
			t.Errorf("%s: the record differs (-files +record):\n%s", name, diff)
		}
		if len(wheel["loopproof-1.2.3.data/scripts/loopproof*"])+len(wheel["loopproof-1.2.3.data/scripts/loopproof.exe*"]) == 0 {
			t.Errorf("%s has no program", name)
		}
		for platform := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(name, "loopproof-1.2.3-py3-none-"), ".whl"), ".") {
			if !strings.Contains(string(wheel["loopproof-1.2.3.dist-info/WHEEL"]), "Tag: py3-none-"+platform+"\n") {
				t.Errorf("%s does not name %s inside", name, platform)
			}
		}
		if metadata := string(wheel["loopproof-1.2.3.dist-info/METADATA"]); !strings.Contains(metadata, "\nVersion: 1.2.3\n") || !strings.Contains(metadata, "\n\n# ") {
			t.Errorf("%s: the metadata are %s", name, metadata)
		}
	}
}

// Maven gets the version of the release in all its projects, and a jar for each system.
func TestMaven(t *testing.T) {
	files := made(t, everywhere().maven)
	for _, target := range targets {
		classifier := target.os + "-" + target.arch
		name := "loopproof-binary-1.2.3-" + classifier + ".jar"
		jar := unzip(t, files["maven/binary/"+name])
		if got := string(jar["dev/loopproof/binary/"+classifier+"/"+target.binary()]); got != "binary for "+target.os+"/"+target.arch {
			t.Errorf("%s has %q", name, got)
		}
		if !strings.Contains(string(files["maven/binary/pom.xml"]), "<file>"+name+"</file><type>jar</type><classifier>"+classifier+"</classifier>") {
			t.Errorf("%s is not published", name)
		}
	}
	for _, project := range []string{"pom.xml", "binary/pom.xml", "junit/pom.xml"} {
		text := string(files["maven/"+project])
		if !strings.Contains(text, "<version>1.2.3</version>") || strings.Contains(text, versionMark) || strings.Contains(text, artifactsMark) {
			t.Errorf("%s is %s", project, text)
		}
	}
}

// Files that a user copies name the version that is built.
func TestCopiedFilesNameTheVersion(t *testing.T) {
	for file, want := range map[string]string{
		"examples/application/junit/pom.xml": "<loopproof.version>" + loopproof.Version + "</loopproof.version>",
		"deploy/kubernetes.yaml":             "image: ghcr.io/loopproof/loopproof:" + loopproof.Version + "\n",
		"deploy/kubernetes-run.yaml":         "image: ghcr.io/loopproof/loopproof:" + loopproof.Version + "\n",
		"packages/java/README.md":            "<version>" + loopproof.Version + "</version>",
	} {
		text, err := os.ReadFile("../../" + file)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q, %v", file, want, err)
		}
	}
}

func lines(text string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(text) {
		all[line] = true
	}
	return all
}

// The same commit gives the same bytes, and the checksums are of them.
func TestReproducible(t *testing.T) {
	var folders [2]string
	for i := range folders {
		folders[i] = t.TempDir()
		if err := everywhere().write(folders[i]); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(folders[0])
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(path.Join(folders[0], "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		first, _ := os.ReadFile(path.Join(folders[0], e.Name()))
		second, _ := os.ReadFile(path.Join(folders[1], e.Name()))
		if !bytes.Equal(first, second) {
			t.Errorf("%s differs", e.Name())
		}
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(first), e.Name()); e.Name() != "checksums.txt" && !strings.Contains(string(sums), line) {
			t.Errorf("the checksums have no line %q", line)
		}
	}
}
