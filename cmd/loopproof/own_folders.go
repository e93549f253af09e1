package main

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/suite"
)

// ownFolders are the flags by which users bring scenarios and profiles of their own.
type ownFolders struct{ scenarios, profiles string }

func (o *ownFolders) register(set *pflag.FlagSet, what string) {
	set.StringVar(&o.scenarios, "scenarios", "", "also "+what+" the scenarios of this `folder`")
	o.registerProfiles(set)
}

func (o *ownFolders) registerProfiles(set *pflag.FlagSet) {
	set.StringVar(&o.profiles, "profiles", "", "also know the profiles of this `folder`")
}

// open puts the folders into a config.
func (o *ownFolders) open(c *suite.Config) (err error) {
	if c.OwnScenarios, err = folderOf("scenarios", o.scenarios); err != nil {
		return err
	}
	c.OwnProfiles, err = folderOf("profiles", o.profiles)
	return err
}

// read reads all profiles and scenarios that there are.
func (o *ownFolders) read() (suite.Config, []*profiles.Profile, []*scenarios.Scenario, error) {
	var c suite.Config
	if err := o.open(&c); err != nil {
		return c, nil, nil, err
	}
	known, err := suite.Profiles(c.OwnProfiles)
	if err != nil {
		return c, nil, nil, err
	}
	library, err := suite.Library(c.OwnScenarios, known...)
	return c, known, library, err
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

// folderOf opens a folder of scenarios or profiles for reading; none is none.
func folderOf(what, name string) (fs.FS, error) {
	if name == "" {
		return nil, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the folder of %s cannot be read: %w", what, err)
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; --%s takes the folder above it", name, what)
	default:
		return os.DirFS(name), nil
	}
}
