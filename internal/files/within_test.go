package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopproof/loopproof/internal/files"
)

// makeFiles makes files below a folder, with their content, or links to where they lead.
func makeFiles(t *testing.T, dir string, files, links map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
}

func TestLinks(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "given")
	makeFiles(t, outer, map[string]string{"secret.txt": "secret", "given/a.txt": "a", "given/..2026/b.txt": "b", "out/c.txt": "c"}, map[string]string{
		"given/inside.txt": "a.txt", "given/..data": "..2026", "given/b.txt": "..data/b.txt", "given/round.txt": "../given/a.txt",
		"given/outside.txt": "../secret.txt", "given/absolute.txt": filepath.Join(outer, "secret.txt"), "given/twice.txt": "outside.txt",
		"given/folder": "../out", "given/nothing.txt": "none.txt", "linked": "given",
	})
	for _, dir := range []string{dir, filepath.Join(outer, "linked")} {
		for name, want := range map[string]string{"a.txt": "a", "inside.txt": "a", "b.txt": "b"} {
			if got, err := files.ReadIn(dir, name); string(got) != want || err != nil {
				t.Errorf("%s is %q, %v", name, got, err)
			}
			if err := files.CheckIn(dir, name); err != nil {
				t.Error(err)
			}
		}
		for _, name := range []string{"outside.txt", "absolute.txt", "twice.txt", "folder/c.txt", "round.txt"} {
			if got, err := files.ReadIn(dir, name); !errors.Is(err, files.ErrOutside) {
				t.Errorf("%s is %q, %v", name, got, err)
			}
			if _, err := fs.Stat(files.In(dir), name); !errors.Is(err, files.ErrOutside) {
				t.Errorf("%s is described: %v", name, err)
			}
			if err := files.CheckIn(dir, name); !errors.Is(err, files.ErrOutside) {
				t.Errorf("the check of %s gives %v", name, err)
			}
			if _, err := files.In(dir).Open(name); !errors.Is(err, files.ErrOutside) {
				t.Errorf("%s is opened: %v", name, err)
			}
		}
		if _, err := fs.ReadDir(files.In(dir), "folder"); !errors.Is(err, files.ErrOutside) {
			t.Errorf("a folder outside is listed: %v", err)
		}
		for _, name := range []string{"../secret.txt", "/etc/passwd", ""} {
			if _, err := files.ReadIn(dir, name); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%q gives %v", name, err)
			}
		}
		if err := files.CheckIn(dir, "nothing.txt"); err != nil {
			t.Error(err)
		}
		if _, err := files.ReadIn(dir, "none.txt"); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		below, err := fs.Sub(files.In(dir), "..2026")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fs.ReadFile(below, "b.txt"); string(got) != "b" {
			t.Errorf("%q, %v", got, err)
		}
	}
}
