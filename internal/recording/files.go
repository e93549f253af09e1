package recording

import (
	"errors"
	"os"
	"path/filepath"
)

// writable makes a folder and tries whether files can be written into it.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".loopproof-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeWhole writes a file whole or not at all: anyone who reads it meanwhile sees the one before, and a full disk leaves
// nothing.
func writeWhole(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".loopproof-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// keepBytes tells git to leave the line ends of the files in a folder alone.
func keepBytes(dir string) error {
	name := filepath.Join(dir, ".gitattributes")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*.http -text\n*.txt -text\n")
	return errors.Join(err, f.Close())
}
