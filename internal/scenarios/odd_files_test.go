//go:build unix

package scenarios_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// What is not a file is not read, since it might have no end, or no beginning: neither as a
// scenario nor alongside one.
func TestOddFilesAreNotRead(t *testing.T) {
	for name, put := range map[string]func(file string) error{
		"a pipe":             func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"an endless device":  func(file string) error { return os.Symlink("/dev/zero", file) },
		"a link to a folder": func(file string) error { return os.Symlink(t.TempDir(), file) },
	} {
		dir := t.TempDir()
		if err := put(filepath.Join(dir, "odd.yaml")); err != nil {
			t.Fatal(err)
		}
		if err := put(filepath.Join(dir, "odd.http")); err != nil {
			t.Fatal(err)
		}
		beside := "loopproof: 1\ntitle: t\nprompt: Hello?\nmodel:\n  - fixture: odd.http\n"
		if err := os.WriteFile(filepath.Join(dir, "beside.yaml"), []byte(beside), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := scenarios.Load(os.DirFS(dir), scenarios.Vocabulary{})
		if err == nil || !strings.Contains(err.Error(), "odd.yaml: this is no regular file, and is not read") || !strings.Contains(err.Error(), "beside.yaml:5:14: odd.http is no regular file, and is not read") {
			t.Errorf("%s gives %v", name, err)
		}
	}
}

// locked is a folder of which one below cannot be read.
type locked struct{ fstest.MapFS }

func (l locked) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "secret" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.ReadDir(name)
}

// A folder that cannot be read is an error, not an empty folder.
func TestAFolderThatCannotBeRead(t *testing.T) {
	folder := locked{fstest.MapFS{"a.yaml": {Data: []byte(small)}, "secret/b.yaml": {Data: []byte(small)}}}
	if _, err := scenarios.Load(folder, vocabulary); err == nil || !strings.Contains(err.Error(), "open secret: permission denied") {
		t.Errorf("the error is %v", err)
	}
}
