package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
)

// artifact is a file of the release.
type artifact struct {
	name string
	data []byte
}

// entry is a file in an archive.
type entry struct {
	name       string
	data       []byte
	executable bool
}

func (e entry) mode() fs.FileMode {
	if e.executable {
		return 0o755
	}
	return 0o644
}

// stamp is the time of all entries: archives of the same content are equal. Zip files know no
// earlier year.
var stamp = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// tarGz packs entries under a folder.
func tarGz(folder string, entries []entry) ([]byte, error) {
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	w := tar.NewWriter(packed)
	for _, e := range entries {
		h := &tar.Header{Name: path.Join(folder, e.name), Mode: int64(e.mode()), Size: int64(len(e.data)), ModTime: stamp, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := packed.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func zipped(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: stamp}
		h.SetMode(e.mode())
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// archives returns the archive of each binary, with the licence and the README, and the formula
// that installs them.
func (r release) archives() ([]artifact, error) {
	docs, err := r.entries("LICENSE", "README.md")
	if err != nil {
		return nil, err
	}
	var made []artifact
	for _, b := range r.binaries {
		folder := r.archiveFolder(b.target)
		entries := append([]entry{{b.binary(), b.data, true}}, docs...)
		var data []byte
		if b.os == "windows" {
			for i := range entries {
				entries[i].name = path.Join(folder, entries[i].name)
			}
			data, err = zipped(entries)
		} else {
			data, err = tarGz(folder, entries)
		}
		if err != nil {
			return nil, err
		}
		made = append(made, artifact{r.archiveName(b.target), data})
	}
	formula, err := r.formula(made)
	return append(made, formula), err
}

func (r release) archiveFolder(t target) string {
	return fmt.Sprintf("loopproof_%s_%s_%s", r.version, t.os, t.arch)
}

func (r release) archiveName(t target) string {
	if t.os == "windows" {
		return r.archiveFolder(t) + ".zip"
	}
	return r.archiveFolder(t) + ".tar.gz"
}

// entries reads files of the repository, which are packed under their last names.
func (r release) entries(names ...string) ([]entry, error) {
	var read []entry
	for _, name := range names {
		data, err := fs.ReadFile(r.source, name)
		if err != nil {
			return nil, err
		}
		read = append(read, entry{name: path.Base(name), data: data})
	}
	return read, nil
}

// folder reads all files of a folder of the repository, but neither tests nor what builds leave
// there.
func (r release) folder(dir string) ([]entry, error) {
	var read []entry
	err := fs.WalkDir(r.source, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case "node_modules", "__pycache__", "target", "tests":
				return fs.SkipDir
			}
			return nil
		}
		data, err := fs.ReadFile(r.source, name)
		read = append(read, entry{name: strings.TrimPrefix(name, dir+"/"), data: data})
		return err
	})
	return read, err
}

// checksums returns the file that sha256sum --check reads. It names the files that a release offers
// for download, not the folders that are built further.
func checksums(made []artifact) artifact {
	var b strings.Builder
	for _, a := range made {
		if strings.Contains(a.name, "/") {
			continue
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(a.data), a.name)
	}
	return artifact{"checksums.txt", []byte(b.String())}
}
