package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/adapters"
)

// initCommand writes an adapter to begin with.
func initCommand(s streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "init " + strings.Join(adapters.Languages(), "|"),
		Short: "Write an adapter, or a Go test, to begin with",
		Long: `Write a complete adapter for a loop in some language, or a Go test for a loop in Go. It runs as it stands,
around a small loop that it brings along; the places where your loop goes are marked YOURS.

No existing file is overwritten.`,
		Example: `  loopproof init python
  loopproof init go --dir my-loop`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("init takes one language: %s", strings.Join(adapters.Languages(), ", "))
			}
			return oneOf("language", args[0], adapters.Languages())
		},
		RunE: func(_ *cobra.Command, args []string) error {
			names, err := writeStarter(args[0], dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "wrote %s\n\nnext:\n", strings.Join(names, "\n      "))
			for _, step := range nextSteps(args[0], dir) {
				fmt.Fprintln(s.out, "  "+step)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "write into this `folder`")
	return cmd
}

// writeStarter writes the files of a starter into a folder, all or none, and returns their names.
func writeStarter(language, dir string) ([]string, error) {
	files, err := adapters.Starter(language)
	if err != nil {
		return nil, err
	}
	var names []string
	var there []error
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		names = append(names, name)
		if _, err := os.Lstat(name); err == nil {
			there = append(there, fmt.Errorf("%s exists already, and is not overwritten; choose another folder with --dir", name))
		}
	}
	if len(there) > 0 {
		return nil, errors.Join(there...)
	}
	for i, f := range files {
		if err := os.MkdirAll(filepath.Dir(names[i]), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(names[i], f.Text, 0o666); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// nextSteps returns the commands that lead from a starter in a folder to its first verdict, and to the next.
func nextSteps(language, dir string) []string {
	steps := map[string][]string{
		"go":     {"go mod init example.com/my-loop    # unless there is a go.mod", "go get github.com/loopproof/loopproof", "go test"},
		"python": {"loopproof run --quick -- python3 adapter.py"},
		"node":   {"loopproof run --quick -- node adapter.mjs"},
		"java":   {"mvn -q package", "loopproof run --quick -- java -cp 'target/classes:target/lib/*' Adapter"},
		"rust":   {"cargo build --release", "loopproof run --quick -- target/release/my-loop-adapter"},
	}[language]
	if dir != "." {
		steps = append([]string{"cd " + quoted([]string{dir})}, steps...)
	}
	return append(steps, "then put your loop where the files say YOURS, and run it again")
}
