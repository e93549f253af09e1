package recording

import (
	"errors"
	"os"
	"path/filepath"
)

// Attributes is the file that tells git about the files of a folder of recordings.
const Attributes = ".gitattributes"

// keepBytes tells git to leave the line ends of the files in a folder alone.
func keepBytes(dir string) error {
	name := filepath.Join(dir, Attributes)
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
