package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/packages/starters"
)

func initCommand(s streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "init " + strings.Join(starters.Languages(), "|") + "|agent|script",
		Short: "Create an adapter, a Go test, the description of an agent or a script, to start from",
		Long: `Create a complete adapter for a loop in the given language, or a Go test for a loop in Go. It works
at once, with a small example loop; comments with YOURS mark where your loop goes. init agent
describes a coding agent that takes a base URL and an MCP server. init script writes a script of the
mock provider, for tests of an application.

Existing files are never overwritten.`,
		Example: `  loopproof init python
  loopproof init go --dir my-loop
  loopproof init script --dir tests
  loopproof init agent --dialect messages --mcp .my-agent/mcp.json -- my-agent --print '{prompt}'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one language: %s; or agent, or script", strings.Join(starters.Languages(), ", "))
			}
			return oneOf("starter", args[0], append(starters.Languages(), "agent", "script"))
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
	cmd.AddCommand(initAgentCommand(s))
	return cmd
}

// writeStarter writes the files of a starter into a folder, all or none, and returns their names.
func writeStarter(language, dir string) ([]string, error) {
	files, err := starters.Starter(language)
	if err != nil {
		return nil, err
	}
	var names []string
	var there []error
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		names = append(names, name)
		if _, err := os.Lstat(name); err == nil {
			there = append(there, fmt.Errorf("%s already exists and is not overwritten; choose another folder with --dir", name))
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

// nextSteps returns the commands that lead from a starter in a folder to its first verdict, and to
// the next.
func nextSteps(language, dir string) []string {
	steps := map[string][]string{
		"go":     goSteps(sourceFolder()),
		"python": {"loopproof run --quick -- python3 adapter.py"},
		"node":   {"loopproof run --quick -- node adapter.mjs"},
		"typescript": {
			"loopproof run --quick -- node adapter.mts    # before Node 22.18: npx tsx adapter.mts",
			"npx -p typescript tsc    # checks the types",
		},
		"java":   {"mvn -q package", "loopproof run --quick -- java -cp 'target/classes:target/lib/*' Adapter"},
		"rust":   {"cargo build --release", "loopproof run --quick -- target/release/my-loop-adapter"},
		"script": {"loopproof validate scripts", "loopproof serve --scenario scripts"},
	}[language]
	if dir != "." {
		steps = append([]string{"cd " + quoted([]string{dir})}, steps...)
	}
	if language == "script" {
		return append(steps, "replace the parts marked YOURS, and write a step for each answer that your application needs")
	}
	return append(steps, "replace the parts marked YOURS with your loop, and run it again")
}

// goSteps returns the commands that lead to the first verdict of a Go test. A clone is named as the
// place of the module, so that they work before it is published, and with what was changed in the
// clone.
func goSteps(clone string) []string {
	const module = "github.com/loopproof/loopproof"
	steps := []string{"go mod init example.com/my-loop    # unless there is a go.mod"}
	if clone == "" {
		return append(steps, "go get "+module, "go test")
	}
	return append(steps, "go mod edit -require "+module+"@v0.0.0 -replace "+quoted([]string{module + "=" + clone}), "go mod tidy", "go test")
}

// sourceFolder returns the clone of Loopproof that this program was built in, or "" when it was
// built from a published version, or is somewhere else now.
func sourceFolder() string {
	_, file, _, ok := runtime.Caller(0)
	folder := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if !ok || !filepath.IsAbs(file) || strings.Contains(folder, "@") { // the module cache names the version after an @
		return ""
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		return ""
	}
	return folder
}
