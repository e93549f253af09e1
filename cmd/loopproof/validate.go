package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/suite"
)

func validateCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE|FOLDER...",
		Short: "Check scenario files",
		Long: `Read scenario files as strictly as a run does, and say what is wrong in which line and column. Of a folder
all .yaml files in it and below it are read.`,
		Example: `  loopproof validate my-scenarios
  loopproof validate my-scenarios/refunds/two-refunds.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the files or folders to check, as in: loopproof validate my-scenarios")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := scenarioFiles(args)
			if err != nil {
				return err
			}
			bad := 0
			for _, file := range files {
				if err := checkScenario(file); err != nil {
					fmt.Fprintln(s.err, err)
					bad++
				}
			}
			if bad > 0 {
				return fmt.Errorf("%d of %s wrong", bad, counted(len(files), "scenario file is", "scenario files are"))
			}
			_, err = fmt.Fprintf(s.out, "%s fine\n", counted(len(files), "scenario file is", "scenario files are"))
			return err
		},
	}
}

// scenarioFiles returns the files of a command line, with those in its folders.
func scenarioFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if filepath.Ext(arg) != ".yaml" {
				return nil, fmt.Errorf("%s is not a scenario: the name of a scenario file ends in .yaml", arg)
			}
			files = append(files, arg)
			continue
		}
		below, err := yamlBelow(arg)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("the folder %s holds no .yaml file", arg)
		}
		files = append(files, below...)
	}
	return files, nil
}

func yamlBelow(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && name != folder && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir // such as the folders in which Kubernetes keeps the files of a volume
		}
		if err == nil && !entry.IsDir() && filepath.Ext(name) == ".yaml" {
			files = append(files, name)
		}
		return err
	})
	return files, err
}

func checkScenario(file string) error {
	_, err := readScenario(file)
	return err
}

// readScenario reads one scenario file, which may speak of these profiles too. A file that is too large to be a scenario is not read.
func readScenario(file string, known ...*profiles.Profile) (*scenarios.Scenario, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file, and is not read (%s)", file, info.Mode().Type())
	}
	if info.Size() > strictyaml.MaxSize {
		return nil, fmt.Errorf("%s: the file has %.1f MB, at most %d MB are read", file, float64(info.Size())/(1<<20), strictyaml.MaxSize>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return scenarios.ParseBeside(os.DirFS(filepath.Dir(file)), file, data, suite.Vocabulary(known...))
}
