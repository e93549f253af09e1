package loopproof_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	usedAction  = regexp.MustCompile(`^\s*(?:- )?uses:\s*(\S+)(.*)$`)
	pinnedUse   = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	itsVersion  = regexp.MustCompile(`^ # v\d+\.\d+\.\d+$`)
	usedImage   = regexp.MustCompile(`(?i)^\s*FROM\s+(?:--platform=\S+\s+)?(\S+)`)
	pinnedImage = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)
)

// unpinned are the images whose digests are not known yet: they can only be asked of their
// registry, as .ci/pin --write does.
var unpinned = map[string]string{"deploy/Dockerfile": "golang:1.26"}

// TestActionsArePinned demands that a workflow runs what was read when it was written: a tag or a
// branch of an action can be moved by whoever takes over its repository, and the workflows of a
// release may publish packages.
func TestActionsArePinned(t *testing.T) {
	files, err := filepath.Glob(".github/workflows/*.y*ml")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no workflows", err)
	}
	commits, uses := map[string]string{}, 0
	for _, file := range append(files, "action.yml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			used := usedAction.FindStringSubmatch(line)
			if used == nil || strings.HasPrefix(used[1], "./") { // one of our own
				continue
			}
			uses++
			if !pinnedUse.MatchString(used[1]) || !itsVersion.MatchString(used[2]) {
				t.Errorf("%s:%d: %s: expected the whole hash of a commit, and its version as in # v1.2.3 after it; .ci/pin helps", file, i+1, strings.TrimSpace(line))
			}
			action, _, _ := strings.Cut(used[1], "@")
			if other := commits[action]; other != "" && other != used[1]+used[2] {
				t.Errorf("%s:%d: %s is used at another version elsewhere: %s", file, i+1, used[1], other)
			}
			commits[action] = used[1] + used[2]
		}
	}
	if uses < 60 {
		t.Errorf("%d uses of actions were found: is the pattern of them right?", uses)
	}
}

// TestImagesArePinned demands the same of images, but for those that are listed.
func TestImagesArePinned(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules") {
			if entry != nil && entry.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		if entry.IsDir() || !strings.Contains(entry.Name(), "Dockerfile") {
			return nil
		}
		text, err := os.ReadFile(file)
		for i, line := range strings.Split(string(text), "\n") {
			used := usedImage.FindStringSubmatch(line)
			switch {
			case used == nil || used[1] == "scratch" || pinnedImage.MatchString(used[1]):
			case unpinned[filepath.ToSlash(file)] == used[1]:
				found[filepath.ToSlash(file)] = true
			default:
				t.Errorf("%s:%d: %s: expected a digest, as in golang:1.26@sha256:...; .ci/pin --write finds it", file, i+1, line)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for file, image := range unpinned {
		if !found[file] {
			t.Errorf("%s does not use %s without a digest any more: remove it from the list", file, image)
		}
	}
}
