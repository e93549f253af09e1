//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
)

// serve and validate tell of what is not a file, and of a folder that cannot be read, instead of
// waiting for it.
func TestOddFilesAreTold(t *testing.T) {
	dir := t.TempDir()
	pipe, device, circle := filepath.Join(dir, "pipe.yaml"), filepath.Join(dir, "device.yaml"), filepath.Join(dir, "circle")
	for _, err := range []error{syscall.Mkfifo(pipe, 0o600), os.Symlink("/dev/zero", device), os.Symlink(circle, circle)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	openai, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		pipe: "pipe.yaml is not a regular file", device: "device.yaml is not a regular file",
		dir: "device.yaml: a symbolic link in it leads out of the folder", circle: "too many levels of symbolic links",
	} {
		v := &service{streams: streams{err: &bytes.Buffer{}}, flags: &serveFlags{scenarios: []string{name}}, profile: openai}
		if err := v.load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("serve --scenario %s gives %v, want %q", name, err, want)
		}
		files, err := scenarioFiles([]string{name})
		checked := &validation{files: files}
		checked.readProfiles()
		for _, file := range files {
			if err == nil {
				err = checked.check(file)
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("validate %s gives %v, want %q", name, err, want)
		}
	}
}

// A folder may be named by a link to it.
func TestALinkToAFolderIsFollowed(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(real, "sub"), 0o700),
		os.WriteFile(filepath.Join(real, "sub", "a.yaml"), []byte("loopproof: 1\ntitle: A\nmodel: [{text: a}]\n"), 0o600),
		os.Symlink(real, link),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{link, link + "/"} {
		if files, err := scenarioFiles([]string{name}); err != nil || len(files) != 1 || files[0] != filepath.Join(link, "sub", "a.yaml") {
			t.Errorf("%s has the files %q, %v", name, files, err)
		}
	}
}
