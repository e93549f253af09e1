package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// openChanged puts the cases into the config that may end otherwise than at the revision of
// --changed. mine are the scenarios of --scenarios, and known is the list of --known-failing.
func (f *runFlags) openChanged(c *runner.Config, mine []*scenarios.Scenario, known *knownfailing.List) error {
	if f.changed == "" {
		return nil
	}
	at := gitRevision{name: f.changed}
	checkout := os.Getenv(loopproof.CheckoutVariable)
	var compared []string
	for _, part := range []struct {
		name    string
		changed func() ([]string, error)
	}{
		{f.own.scenarios, func() ([]string, error) { return at.scenarios(f.own.scenarios, mine) }},
		{checkout, func() ([]string, error) {
			library, err := catalog.Scenarios(nil, profiles.Known{})
			if err != nil {
				return nil, err
			}
			return at.scenarios(filepath.Join(checkout, "scenarios"), library)
		}},
		{f.knownFailing, func() ([]string, error) {
			older, err := at.read(f.knownFailing)
			if err != nil {
				return nil, err
			}
			return known.ChangedSince(at.name+":"+f.knownFailing, older)
		}},
	} {
		if part.name == "" {
			continue
		}
		patterns, err := part.changed()
		if err != nil {
			return fmt.Errorf("--changed: %w", err)
		}
		compared, c.Select.Again = append(compared, part.name), append(c.Select.Again, patterns...)
	}
	switch {
	case len(compared) == 0:
		return errors.New("--changed compares --scenarios, --repo and --known-failing with what they were; give at least one of them")
	case len(c.Select.Again) == 0:
		return fmt.Errorf("--changed: no scenario and no entry has changed since %s in %s, so that there is nothing to play", f.changed, list(compared))
	}
	return nil
}

// gitRevision is a revision of the git repository in which a file or folder is.
type gitRevision struct{ name string }

// scenarios returns the patterns of the cases of those scenarios that have changed, or that name a
// file that has. They are all of a folder, or that of a file.
func (r gitRevision) scenarios(name string, all []*scenarios.Scenario) ([]string, error) {
	folder := name
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		folder = filepath.Dir(name)
	}
	changed, err := r.changed(folder)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, s := range all {
		files := []string{s.ID + ".yaml"}
		for _, name := range s.Files() {
			files = append(files, path.Join(path.Dir(s.ID), name))
		}
		if slices.ContainsFunc(files, func(file string) bool { return slices.Contains(changed, file) }) {
			patterns = append(patterns, s.ID+"@**")
		}
	}
	return patterns, nil
}

// changed returns the files below a folder that differ from the revision, with slashes and relative
// to the folder, those among them that git does not know yet.
func (r gitRevision) changed(folder string) ([]string, error) {
	commit, err := r.commit(folder)
	if err != nil {
		return nil, err
	}
	differing, err1 := git(folder, "diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--", ".")
	added, err2 := git(folder, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
	names := strings.Split(string(differing)+string(added), "\x00")
	return names[:len(names)-1], errors.Join(err1, err2)
}

// read returns what a file was at the revision, or nothing if there was none.
func (r gitRevision) read(file string) ([]byte, error) {
	folder, name := filepath.Split(file)
	folder = cmp.Or(folder, ".")
	commit, err := r.commit(folder)
	if err != nil {
		return nil, err
	}
	if found, err := git(folder, "ls-tree", "-z", "--name-only", commit, "--", name); len(found) == 0 || err != nil {
		return nil, err
	}
	return git(folder, "show", commit+":./"+name)
}

// commit returns the hash of the revision in the repository of a folder.
func (r gitRevision) commit(folder string) (string, error) {
	hash, err := git(folder, "rev-parse", "--verify", "--end-of-options", r.name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("%s cannot be compared with %s: %w", folder, r.name, err)
	}
	return strings.TrimSpace(string(hash)), nil
}

// git runs a command of git in a folder, and returns what it prints.
func git(folder string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", folder}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("it needs git, which is not installed")
	case err != nil:
		return nil, fmt.Errorf("git %s: %s", args[0], cmp.Or(strings.TrimSpace(stderr.String()), err.Error()))
	}
	return out, nil
}
