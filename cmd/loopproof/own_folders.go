package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// ownFolders are the flags for the user's own scenarios and profiles.
type ownFolders struct {
	scenarios, profiles string
	dialects            []*wire.Dialect // that the profiles may be of, besides Loopproof's own
}

func (o *ownFolders) register(set *pflag.FlagSet, what string) {
	set.StringVar(&o.scenarios, "scenarios", "", what+" additional scenarios from this `folder` or file")
	o.registerProfiles(set)
}

func (o *ownFolders) registerProfiles(set *pflag.FlagSet) {
	set.StringVar(&o.profiles, "profiles", "", "load additional profiles from this `folder`")
}

// open puts the folders into a config, and returns all profiles and the scenarios of the folder. It
// reads them, so that errors in them are reported before a loop is started.
func (o *ownFolders) open(c *runner.Config) (known profiles.Known, mine []*scenarios.Scenario, err error) {
	if c.OwnScenarios, err = folderOf("scenarios", o.scenarios); err != nil {
		return known, nil, err
	}
	if c.OwnProfiles, known, err = o.readProfiles(); err != nil {
		return known, nil, err
	}
	mine, err = catalog.OwnScenarios(c.OwnScenarios, known)
	return known, mine, within(o.scenarios, err)
}

// read is open, and returns all scenarios that there are.
func (o *ownFolders) read() (c runner.Config, known profiles.Known, library []*scenarios.Scenario, err error) {
	known, mine, err := o.open(&c)
	if err != nil {
		return c, known, nil, err
	}
	library, err = catalog.Scenarios(nil, known)
	return c, known, append(library, mine...), err
}

// readProfiles reads the profiles of the folder.
func (o *ownFolders) readProfiles() (folder fs.FS, known profiles.Known, err error) {
	if folder, err = folderOf("profiles", o.profiles); err != nil {
		return nil, known, err
	}
	if folder != nil {
		folder = dialect.Folder{FS: folder, Dialects: o.dialects}
	}
	known, err = catalog.Profiles(folder)
	return folder, known, within(o.profiles, err)
}

// named reads the profiles of these names, those of the folder among them. Each is of another
// dialect.
func (o *ownFolders) named(names []string) ([]*profiles.Profile, error) {
	_, known, err := o.readProfiles()
	if err != nil {
		return nil, err
	}
	return playedProfiles(known, names, "")
}

// within adds the folder to the file names in errors, so that editors and terminals find the files.
func within(folder string, err error) error {
	var all []error
	for _, one := range strictyaml.Errors(err) {
		all = append(all, oneWithin(folder, one))
	}
	return errors.Join(all...)
}

func oneWithin(folder string, err error) error {
	var placed *strictyaml.Error
	if !errors.As(err, &placed) {
		return fmt.Errorf("%s: %w", folder, err)
	}
	here := *placed
	here.File = filepath.Join(folder, placed.File)
	if filepath.Base(folder) == placed.File {
		here.File = folder // which is that file
	}
	return &here
}

// args returns the flags again, as they were given.
func (o *ownFolders) args() []string {
	var args []string
	if o.scenarios != "" {
		args = append(args, "--scenarios", o.scenarios)
	}
	if o.profiles != "" {
		args = append(args, "--profiles", o.profiles)
	}
	return args
}

// onlyFile is a folder of which one file is read, with those that it names. The file itself may be
// a link: it was named.
type onlyFile struct {
	fs.FS
	file string
}

// Open opens a file for reading.
func (o onlyFile) Open(name string) (fs.File, error) {
	if name == filepath.Base(o.file) {
		return os.Open(o.file)
	}
	return o.FS.Open(name)
}

// ReadDir returns the entry of the file alone.
func (o onlyFile) ReadDir(dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, dir)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() != filepath.Base(o.file) }), err
}

// folderOf opens a folder of scenarios or profiles for reading; none is none. One scenario may be
// named by its file.
func folderOf(what, name string) (fs.FS, error) {
	if name == "" {
		return nil, nil
	}
	taken := "a folder"
	if what == "scenarios" {
		taken = "a folder or a .yaml file"
	}
	info, err := statNamed(name, taken)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--%s: %w", what, err)
	case !info.IsDir() && what == "scenarios" && filepath.Ext(name) == ".yaml":
		return onlyFile{files.In(filepath.Dir(name)), name}, nil
	case !info.IsDir():
		return nil, fmt.Errorf("--%s: %s is a file; expected %s", what, name, taken)
	default:
		return files.In(name), nil
	}
}
