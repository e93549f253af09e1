package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

func validateCommand(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate FILE|FOLDER...",
		Short: "Check files of scenarios, profiles and agents",
		Long: `Check files of scenarios, profiles and agents as strictly as a run does, and report each error with
its line and column. In a folder, all .yaml files are checked, also those in subfolders. A profile
may be based on others in its folder.

What is only bad style, such as a profile that does not say what it is about, is a warning.

With --json, standard output is one document: {"valid": BOOLEAN, "files": [{"file", "kind",
"errors": [{"line", "column", "message"}], "warnings": [...]}]}. The kind is scenario, profile or
agent; line and column begin at 1, and are 0 for an error of the whole file; warnings are as errors
are, and left out where there are none.`,
		Example: `  loopproof validate my-scenarios my-profiles
  loopproof validate --json my-scenarios
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
			v := &validation{files: files, dialects: s.dialects}
			v.readProfiles()
			checked := v.checkAll()
			if asJSON {
				err = s.writeChecked(checked)
			} else {
				err = s.tellChecked(checked)
			}
			if bad := countInvalid(checked); err == nil && bad > 0 {
				return fmt.Errorf("%d of %s invalid", bad, v.counted())
			}
			if err == nil && !asJSON {
				_, err = fmt.Fprintf(s.out, "%s valid\n", v.counted())
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// scenarioFiles returns the files of a command line, with those in its folders.
func scenarioFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := statNamed(arg, "a scenario, a profile, the description of an agent or a folder of them")
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if filepath.Ext(arg) != ".yaml" {
				return nil, fmt.Errorf("%s is not a scenario or a profile: their file names end in .yaml", arg)
			}
			files = append(files, arg)
			continue
		}
		below, err := yamlBelow(arg)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("the folder %s has no .yaml file", arg)
		}
		files = append(files, below...)
	}
	return files, nil
}

func yamlBelow(folder string) ([]string, error) {
	var found []string
	root := folder + string(filepath.Separator) // so that a link to a folder is followed
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && name != root && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir // such as the folders in which Kubernetes keeps the files of a volume
		}
		if err == nil && !entry.IsDir() && filepath.Ext(name) == ".yaml" {
			found = append(found, name)
			if entry.Type()&fs.ModeSymlink != 0 {
				err = files.CheckIn(root, strings.TrimPrefix(name, root))
			}
		}
		return err
	})
	return found, err
}

// validation checks files. Scenarios may name the profiles among them.
type validation struct {
	files    []string
	agents   map[string]bool  // which of the files describe one
	wrong    map[string]error // of the profiles
	dialects []*wire.Dialect
	profiles []*profiles.Profile
	read     map[string]*profiles.Profile // by their files, those that are right
}

func (v *validation) readProfiles() {
	v.wrong, v.agents, v.read = map[string]error{}, map[string]bool{}, map[string]*profiles.Profile{}
	for _, file := range v.files {
		switch kindOf(file) {
		case agentFile:
			v.agents[file] = true
		case profileFile:
			p, err := readProfile(file, v.dialects)
			if err == nil {
				v.read[file] = p
			}
			if v.wrong[file] = err; err == nil && !slices.Contains(profiles.Known{}.Names(), p.Name) {
				v.profiles = append(v.profiles, p)
			}
		}
	}
}

func (v *validation) checkAll() []checkedFile {
	all := make([]checkedFile, len(v.files))
	for i, file := range v.files {
		all[i] = checkedFile{File: file, Kind: v.kind(file), Errors: []fileError{}, err: v.check(file)}
		all[i].add(all[i].err)
		if p := v.read[file]; p != nil {
			all[i].warn(catalog.Remarks(p))
		}
	}
	return all
}

func (v *validation) kind(file string) string {
	if _, profile := v.wrong[file]; profile {
		return "profile"
	}
	if v.agents[file] {
		return "agent"
	}
	return "scenario"
}

func (v *validation) check(file string) error {
	if err, profile := v.wrong[file]; profile {
		return err
	}
	if v.agents[file] {
		_, err := agents.Find(file)
		return err
	}
	s, err := readScenario(file, v.profiles...)
	if err != nil {
		return err
	}
	return s.CheckPlayed(profiles.Known{Own: v.profiles}.All())
}

// counted returns how many files of which kind there are.
func (v *validation) counted() string {
	kinds := []struct {
		files     int
		one, many string
	}{
		{len(v.files) - len(v.wrong) - len(v.agents), "scenario file", "scenario files"},
		{len(v.wrong), "profile", "profiles"},
		{len(v.agents), "agent", "agents"},
	}
	var parts []string
	for _, kind := range kinds {
		if kind.files > 0 {
			parts = append(parts, counted(kind.files, kind.one, kind.many))
		}
	}
	are := " are"
	if len(v.files) == 1 {
		are = " is"
	}
	return strings.Join(parts, " and ") + are
}

// The kinds of files.
const (
	scenarioFile fileKind = iota
	profileFile
	agentFile
)

type fileKind int

// kindOf tells the kind of a file by its keys: a profile has keys that only profiles have, and none
// that every scenario has. A file that cannot be read is taken for a scenario, whose reader says
// why.
func kindOf(file string) fileKind {
	data, err := readFile(file)
	if err != nil {
		return scenarioFile
	}
	keys := map[string]any{}
	if err := yaml.Load(data, &keys, yaml.WithUniqueKeys(false)); err != nil { // which their readers check, and not by comparing each with all
		if profileKey().Match(data) && !scenarioKey().Match(data) {
			return profileFile
		}
		return scenarioFile
	}
	switch {
	case agents.IsDescription(keys):
		return agentFile
	case hasAny(keys, "like", "completion-id", "call-id", "dialect", "errors", "refuses", "also-refuses", "forms", "takes", "accepts") && !hasAny(keys, "model", "prompt", "prompts"):
		return profileFile
	default:
		return scenarioFile
	}
}

// These keys tell the kind of a file that is not valid YAML.
var (
	profileKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(like|completion-id|call-id|refuses|also-refuses|forms):`)
	})
	scenarioKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(model|prompt|prompts):`) })
)

func hasAny(keys map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, has := keys[name]; return has })
}

func readProfile(file string, dialects []*wire.Dialect) (*profiles.Profile, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, err
	}
	return catalog.ParseProfile(dialect.Folder{FS: files.In(filepath.Dir(file)), Dialects: dialects}, file, data)
}

// readScenario reads one scenario file, which may also name the given profiles.
func readScenario(file string, known ...*profiles.Profile) (*scenarios.Scenario, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, err
	}
	return scenarios.ParseBeside(files.In(filepath.Dir(file)), file, data, rulebook.Vocabulary(profiles.Known{Own: known}))
}

// readFile reads a file, unless it is too large to be written by hand.
func readFile(file string) ([]byte, error) {
	return readUpTo(file, strictyaml.MaxSize>>20)
}

// readUpTo reads a file of at most so many megabytes.
func readUpTo(file string, megabytes int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file (%s)", file, info.Mode().Type())
	}
	if info.Size() > megabytes<<20 {
		return nil, fmt.Errorf("%s: the file has %.1f MB, the maximum is %d MB", file, float64(info.Size())/(1<<20), megabytes)
	}
	return os.ReadFile(file)
}
