package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// In returns the files of a folder, and none outside of it. The folder is opened anew for each
// file, so that it may be replaced.
func In(dir string) fs.FS { return folder(dir) }

// CheckIn returns an error if a name below a folder leads out of it. A name at which nothing is
// leads nowhere.
func CheckIn(dir, name string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explained(dir, err)
}

// ReadIn reads a file below a folder.
func ReadIn(dir, name string) ([]byte, error) { return fs.ReadFile(In(dir), name) }

type folder string

// Open opens a file for reading.
func (f folder) Open(name string) (fs.File, error) {
	return within(f, "open", name, func(r fs.FS) (fs.File, error) { return r.Open(name) })
}

// Stat describes a file, or that to which a link leads.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	return within(f, "stat", name, func(r fs.FS) (fs.FileInfo, error) { return fs.Stat(r, name) })
}

// ReadDir returns what is in a folder, sorted.
func (f folder) ReadDir(name string) ([]fs.DirEntry, error) {
	return within(f, "readdir", name, func(r fs.FS) ([]fs.DirEntry, error) { return fs.ReadDir(r, name) })
}

// ReadFile returns the content of a file.
func (f folder) ReadFile(name string) ([]byte, error) {
	return within(f, "readfile", name, func(r fs.FS) ([]byte, error) { return fs.ReadFile(r, name) })
}

func within[T any](f folder, op, name string, do func(fs.FS) (T, error)) (found T, err error) {
	if !fs.ValidPath(name) {
		return found, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return found, err
	}
	defer root.Close()
	found, err = do(root.FS())
	return found, explained(string(f), err)
}

// ErrOutside is the error of a link that leads out of its folder.
var ErrOutside = errors.New("a symbolic link in it leads out of the folder, and is not followed")

// outside is what [os.Root] says of such a link.
func outside() string {
	var path *fs.PathError
	if root, err := os.OpenRoot("."); err == nil {
		defer root.Close()
		if _, err := root.Lstat(".."); errors.As(err, &path) {
			return path.Err.Error()
		}
	}
	return "path escapes from parent"
}

// explained returns an error that says which link leads out of a folder.
func explained(dir string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Err.Error() == outside() {
		return fmt.Errorf("%s: %w", filepath.Join(dir, filepath.FromSlash(path.Path)), ErrOutside)
	}
	return err
}
