// Package matrix reads and checks the results of many loops, and renders them as a static site:
// which loop keeps which rule.
//
//	loops, err := matrix.Load("lab/results", "")
//	site, err := matrix.Render(loops)
//	err = site.Write("site")
//
// A folder of results has a folder for each loop: RESULTS/LOOP/loop.yaml, which people write, and a
// small result for each version. An archive has whole reports: ARCHIVE/LOOP/VERSION.json.
package matrix

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/report"
)

// Loop is a loop with its results.
type Loop struct {
	Name   string // of its folder
	Folder string
	*LoopFile
	Versions []*Version // the newest first
	Newer    *Stale     // nil: its newest version was played, as far as is known
	Looked   string     // the day on which somebody looked for newer versions, or ""

	doc *strictyaml.Document
}

// Version is the result of one version of a loop.
type Version struct {
	*report.Report         // from the archive, or else the result with its examples
	Result         *Result // as the repository has it
	File           string
	Slug           string // its version, as part of a file name

	Archived bool  // the archive has its report
	Stale    error // the archive has another one

	loop *Loop

	expected map[string]bool // rules for which its claims imply evidence; nil: not known yet
}

var loopName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

// Load reads the folder of all loops, and checks all that is in it, with the reports that an
// archive has; "" is none.
func Load(folder, archive string) ([]*Loop, error) {
	if _, err := os.ReadDir(archive); archive != "" && err != nil {
		return nil, fmt.Errorf("the archive cannot be read: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of results cannot be read: %w", err)
	}
	var loops []*Loop
	var errs []error
	for _, entry := range entries {
		if !entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		l, err := LoadLoop(filepath.Join(folder, entry.Name()), archive)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		loops = append(loops, l)
	}
	if len(loops) == 0 && len(errs) == 0 {
		return nil, fmt.Errorf("the folder %s has no results: expected a folder for each loop, with %s and a result for each version", folder, LoopFileName)
	}
	if len(errs) == 0 {
		errs = append(errs, addNewest(folder, loops))
	}
	return loops, few(folder, errs)
}

// LoadLoop reads the folder of one loop, and checks all that is in it, as [Load] does.
func LoadLoop(folder, archive string) (*Loop, error) {
	l, err := Described(folder)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == LoopFileName })
	if len(files) == 0 {
		return nil, fmt.Errorf("the folder %s has no result; go run ./matrix store writes one there", folder)
	}
	var errs []error
	for _, file := range files {
		if err := l.load(file, archive); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return nil, few(folder, errs)
	}
	slices.SortFunc(l.Versions, newestFirst)
	return l, l.checkVerdicts()
}

// Described reads what people wrote of a loop, and no result.
func Described(folder string) (*Loop, error) {
	l := &Loop{Name: filepath.Base(folder), Folder: folder}
	if abs, err := filepath.Abs(folder); err == nil {
		l.Name = filepath.Base(abs)
	}
	if !loopName().MatchString(l.Name) {
		return nil, fmt.Errorf("%s: the folder of a loop has a name of small letters, digits and hyphens, as in ai-sdk-openai", folder)
	}
	if err := files.CheckIn(folder, LoopFileName); err != nil {
		return nil, err
	}
	var err error
	if l.LoopFile, l.doc, err = readLoopFile(filepath.Join(folder, LoopFileName)); err != nil {
		return nil, err
	}
	return l, nil
}

// load reads and checks the result of a version.
func (l *Loop) load(file, archive string) error {
	if err := files.CheckIn(l.Folder, filepath.Base(file)); err != nil {
		return err
	}
	res, err := readResult(file)
	if err != nil {
		return err
	}
	v := &Version{Report: res.report(l.Again()), Result: res, File: file, Slug: slug(res.Version), loop: l}
	if err := v.verify(); err != nil {
		return err
	}
	if err := v.fromArchive(archive); err != nil {
		return err
	}
	return l.add(v)
}

// fromArchive takes the whole report of the version, if an archive has it and the result was made
// of it.
func (v *Version) fromArchive(archive string) error {
	file := filepath.Join(archive, v.loop.Name, v.Slug+".json")
	if _, err := os.Stat(file); archive == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := files.CheckIn(archive, filepath.Join(v.loop.Name, v.Slug+".json")); err != nil {
		return err
	}
	r, err := ReadReport(file)
	if err != nil {
		return err
	}
	if err := Verify(file, r); err != nil {
		return err
	}
	made, err := NewResult(r, v.Result.JudgedBy.Commit)
	if err != nil {
		return err
	}
	if at := made.differs(v.Result); at != "" {
		v.Stale = fmt.Errorf("%s is not what %s says: %s: play the loop again, or remove the report from the archive", v.File, file, at)
		return nil
	}
	v.Report, v.Archived = r.Stored(), true
	return nil
}

// add adds a version that is not there yet.
func (l *Loop) add(v *Version) error {
	for _, known := range l.Versions {
		switch {
		case known.Loop.Version == v.Loop.Version:
			return fmt.Errorf("%s: /version: %s is also the version of %s: keep the result that was played last", v.File, v.Loop.Version, known.File)
		case known.Slug == v.Slug:
			return fmt.Errorf("%s: /version: the page of %s would have the name of that of %s", v.File, v.Loop.Version, known.Loop.Version)
		}
	}
	l.Versions = append(l.Versions, v)
	return nil
}

// checkVerdicts checks that each broken must has a verdict, and each verdict a broken rule.
func (l *Loop) checkVerdicts() error {
	var errs problems
	broken := map[string]bool{}
	for _, v := range l.Versions {
		if !l.examines(v.Loop.Version) {
			continue
		}
		for _, rule := range v.Rules {
			broken[rule.ID] = broken[rule.ID] || rule.Verdict == report.Failed
		}
		for _, id := range BrokenMusts(v.Report) {
			if l.verdict(id).Rule == "" {
				errs.add(l.doc.Errorf("/verdicts", "%s breaks the must %s in %s, and there is no verdict: say whose fault it is, or %q", filepath.Base(v.File), id, v.Loop.Version, NotExamined))
			}
		}
	}
	for _, verdict := range l.Verdicts {
		if !broken[verdict.Rule] {
			errs.add(l.doc.Errorf(placeOfVerdict(verdict.Rule), "no version here breaks the rule %s: remove the verdict", verdict.Rule))
		}
	}
	return errs.joined()
}

var notInNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9.+_]+`) })

// slug returns a version as part of a file name: ai-7.0.173-openai-4.0.118.
func slug(version string) string {
	slug := strings.Trim(notInNames().ReplaceAllString(version, "-"), "-.")
	return cmp.Or(slug[:min(len(slug), 80)], "unnamed")
}

var numbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+(?:\.\d+)+`) })

// newestFirst orders versions by the numbers in them, and equal ones by the time at which they were
// played.
func newestFirst(a, b *Version) int {
	one, other := numbers().FindAllString(a.Loop.Version, -1), numbers().FindAllString(b.Loop.Version, -1)
	return cmp.Or(slices.CompareFunc(other, one, compareNumbers), b.Started.Compare(a.Started), strings.Compare(a.File, b.File))
}

func compareNumbers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		m, _ := strconv.Atoi(x)
		n, _ := strconv.Atoi(y)
		return cmp.Compare(m, n)
	})
}
