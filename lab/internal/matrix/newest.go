package matrix

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

// NewestFile is the file in the folder of results that says of which loops there is a version that could not be
// played. survey --newest writes it.
const NewestFile = "newest.yaml"

// Newest is what is known of the newest versions of all loops.
type Newest struct {
	Format int     `yaml:"loopproof"` // version of the file format: 1
	Looked string  `yaml:"looked"`    // the day on which somebody looked last, YYYY-MM-DD
	Stale  []Stale `yaml:"stale"`
}

// Stale is a loop of which there is a version that could not be played.
type Stale struct {
	Loop string `yaml:"~key"`

	Version string `yaml:"version"` // the packages that are newer, with their versions
	Since   string `yaml:"since"`   // the day on which they were first seen, YYYY-MM-DD
	Problem string `yaml:"problem"` // why they were not played, in a line
}

const newestHead = "# Written by cd lab && go run ./survey --newest. Do not edit.\n"

// ReadNewest reads what a folder of results knows of newer versions; without the file, nothing.
func ReadNewest(folder string) (*Newest, error) {
	n := &Newest{Format: 1}
	file := filepath.Join(folder, NewestFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return nil, err
	}
	doc, err := strictyaml.Read(file, data, n)
	if err != nil {
		return nil, err
	}
	if n.Format != 1 {
		return nil, doc.Errorf("/loopproof", "the version of the file format is 1, not %d", n.Format)
	}
	var errs problems
	for at, day := range n.days() {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			errs.add(doc.Errorf(at, "expected a date as in 2026-12-01, not %q", day))
		}
	}
	return n, errs.joined()
}

func (n *Newest) days() map[string]string {
	days := map[string]string{"/looked": n.Looked}
	for _, s := range n.Stale {
		days["/stale/"+s.Loop+"/since"] = s.Since
	}
	return days
}

// Write writes it into a folder of results.
func (n *Newest) Write(folder string) error {
	text, err := strictyaml.Write(n)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, NewestFile), append([]byte(newestHead), text...), 0o666)
}

// Set notes that versions of a loop could not be played, on a day. If that is known already, it is
// stale since that day.
func (n *Newest) Set(loop, versions, problem, day string) {
	since := day
	if at := n.at(loop); at >= 0 {
		if n.Stale[at].Version == versions {
			since = n.Stale[at].Since
		}
		n.Remove(loop)
	}
	n.Stale = append(n.Stale, Stale{Loop: loop, Version: versions, Since: since, Problem: problem})
	slices.SortFunc(n.Stale, func(a, b Stale) int { return strings.Compare(a.Loop, b.Loop) })
}

// Remove notes that the newest version of a loop was played.
func (n *Newest) Remove(loop string) {
	n.Stale = slices.DeleteFunc(n.Stale, func(s Stale) bool { return s.Loop == loop })
}

func (n *Newest) at(loop string) int {
	return slices.IndexFunc(n.Stale, func(s Stale) bool { return s.Loop == loop })
}

// addNewest tells the loops of a folder which of them are stale.
func addNewest(folder string, loops []*Loop) error {
	n, err := ReadNewest(folder)
	if err != nil {
		return err
	}
	for _, l := range loops {
		l.Looked = n.Looked
		if at := n.at(l.Name); at >= 0 {
			l.Newer = &n.Stale[at]
		}
	}
	for _, s := range n.Stale {
		if !slices.ContainsFunc(loops, func(l *Loop) bool { return l.Name == s.Loop }) {
			return fmt.Errorf("%s: there is no loop %q in %s", filepath.Join(folder, NewestFile), s.Loop, folder)
		}
	}
	return nil
}

// staleSince is the day since when a newer version of the loop is known, or "".
func (l *Loop) staleSince() string {
	if l.Newer == nil {
		return ""
	}
	return l.Newer.Since
}

// LastResult returns the result of a loop that was played last.
func LastResult(folder string) (*Result, error) {
	all, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var last *Result
	for _, file := range all {
		if filepath.Base(file) == LoopFileName {
			continue
		}
		res, err := readResult(file)
		if err != nil {
			return nil, err
		}
		if last == nil || last.Played < res.Played {
			last = res
		}
	}
	if last == nil {
		return nil, fmt.Errorf("the folder %s has no result", folder)
	}
	return last, nil
}

// Since returns the musts and shoulds that an earlier result broke and this one keeps, and the other
// way round.
func (res *Result) Since(earlier *Result) (repaired, worse []string) {
	return compare(earlier.rules(), res.rules())
}
