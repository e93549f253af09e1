package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// readBehaviour reads a behaviour as the command line gives it: its keys, or a .yaml file that
// holds them.
func readBehaviour(text string) (*scenarios.Behaviour, error) {
	switch {
	case text == "":
		return nil, nil
	case filepath.Ext(text) != ".yaml":
		return scenarios.ParseBehaviour("--behaviour", text)
	}
	data, err := os.ReadFile(text)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errors.New("there is no file " + text + "; --behaviour takes a file, or the keys themselves")
	}
	if err != nil {
		return nil, err
	}
	return scenarios.ParseBehaviour(text, string(data))
}
