package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopproof/loopproof/internal/files"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "list.yaml"), filepath.Join(dir, "link.yaml")
	if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if err := files.WriteBytes(link, []byte("after")); err != nil || read(t, name) != "after" {
		t.Errorf("%v: the file says %q", err, read(t, name))
	}
	if mode, err := os.Stat(name); err != nil || mode.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", mode.Mode())
	}
	if at, err := os.Readlink(link); err != nil || at != name {
		t.Errorf("the link leads to %q: %v", at, err)
	}
}

// A disk that becomes full takes nothing away, and no half file stays.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "list.yaml")
	if err := files.WriteBytes(name, []byte("before")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := files.Write(name, func(w io.Writer) error {
		io.WriteString(w, "aft")
		return full
	})
	if !errors.Is(err, full) || read(t, name) != "before" {
		t.Errorf("%v: the file says %q", err, read(t, name))
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("the folder has %d files", len(left))
	}
}

func TestDevices(t *testing.T) {
	if err := files.WriteBytes(os.DevNull, []byte("text")); err != nil {
		t.Error(err)
	}
	if err := files.WriteBytes("/dev/full", []byte("text")); err == nil {
		t.Error("the full disk took a text")
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if err := files.MakeFolder(filepath.Join(dir, "a", "b")); err != nil {
		t.Error(err)
	}
	if err := files.WriteBytes(filepath.Join(dir, "file"), nil); err != nil {
		t.Fatal(err)
	}
	if err := files.MakeFolder(filepath.Join(dir, "file")); err == nil {
		t.Error("a file is taken for a folder")
	}
}
