package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file whole or not at all. A device or a pipe is written to as it is.
func Write(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o644)
	if known, err := os.Stat(name); err == nil {
		if !known.Mode().IsRegular() {
			return writeTo(name, write)
		}
		mode = known.Mode().Perm()
	}
	if linked, err := filepath.EvalSymlinks(name); err == nil {
		name = linked // the link stays
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".loopproof-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// WriteBytes writes a file with this content, as [Write] does.
func WriteBytes(name string, content []byte) error {
	return Write(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// MakeFolder creates a folder if necessary, and checks that files can be written there.
func MakeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".loopproof-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
