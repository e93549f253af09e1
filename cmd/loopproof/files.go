package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// statNamed describes what a command line names. The error for a name that does not exist says what
// was expected, such as "a scenario, a profile or a folder of them".
func statNamed(name, expected string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file or folder %q; expected %s", name, expected)
	}
	return info, err
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
