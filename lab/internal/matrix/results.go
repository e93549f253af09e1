// Package matrix reads and checks stored reports of many loops, and renders them as a static site: which loop keeps which rule.
//
// A folder of results has a folder for each loop: RESULTS/LOOP/loop.yaml, which a person wrote, and a report for each version.
package matrix

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/infolder"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Loop is a loop with its stored reports.
type Loop struct {
	Name   string // of its folder
	Folder string
	*LoopFile
	Versions []*Version // the newest first

	doc *strictyaml.Document
}

// Version is the report of one version of a loop.
type Version struct {
	*report.Report
	File string
	Slug string // its version, as part of a file name
	loop *Loop

	expected map[string]bool // rules for which its claims imply evidence; nil: not known yet
}

var loopName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

// Load reads the folder of all loops, and checks all that is in it.
func Load(folder string) ([]*Loop, error) {
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
		l, err := LoadLoop(filepath.Join(folder, entry.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		loops = append(loops, l)
	}
	if len(loops) == 0 && len(errs) == 0 {
		return nil, fmt.Errorf("the folder %s has no results: expected a folder for each loop, with %s and a report for each version", folder, LoopFileName)
	}
	return loops, few(folder, errs)
}

// LoadLoop reads the folder of one loop, and checks all that is in it.
func LoadLoop(folder string) (*Loop, error) {
	l := &Loop{Name: filepath.Base(folder), Folder: folder}
	if abs, err := filepath.Abs(folder); err == nil {
		l.Name = filepath.Base(abs)
	}
	if !loopName().MatchString(l.Name) {
		return nil, fmt.Errorf("%s: the folder of a loop has a name of small letters, digits and hyphens, as in ai-sdk-openai", folder)
	}
	if err := infolder.Check(folder, LoopFileName); err != nil {
		return nil, err
	}
	var err error
	if l.LoopFile, l.doc, err = readLoopFile(filepath.Join(folder, LoopFileName)); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the folder %s has no report; go run ./matrix store writes one there", folder)
	}
	var errs []error
	for _, file := range files {
		err := infolder.Check(folder, filepath.Base(file))
		var r *report.Report
		if err == nil {
			r, err = ReadReport(file)
		}
		if err == nil {
			err = Verify(file, r)
		}
		if err == nil {
			err = l.add(file, r)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return nil, few(folder, errs)
	}
	slices.SortFunc(l.Versions, newestFirst)
	return l, l.checkVerdicts()
}

// add adds the report of a version that is not there yet.
func (l *Loop) add(file string, r *report.Report) error {
	v := &Version{Report: r, File: file, Slug: slug(r.Loop.Version), loop: l}
	for _, known := range l.Versions {
		switch {
		case known.Loop.Version == r.Loop.Version:
			return fmt.Errorf("%s: /loop/version: %s is also the version of %s: keep the report that was played last", file, r.Loop.Version, known.File)
		case known.Slug == v.Slug:
			return fmt.Errorf("%s: /loop/version: the page of %s would have the name of that of %s", file, r.Loop.Version, known.Loop.Version)
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
		for _, rule := range v.Rules {
			broken[rule.ID] = broken[rule.ID] || rule.Verdict == trace.Failed
		}
		for _, id := range BrokenMusts(v.Report) {
			if _, has := l.Verdicts[id]; !has {
				errs.add(l.doc.Errorf("/verdicts", "%s breaks the must %s in %s, and there is no verdict: say whose fault it is, or %q", filepath.Base(v.File), id, v.Loop.Version, NotExamined))
			}
		}
	}
	for id := range l.Verdicts {
		if !broken[id] {
			errs.add(l.doc.Errorf(placeOfVerdict(id), "no report here breaks the rule %s: remove the verdict", id))
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

// newestFirst orders versions by the numbers in them, and equal ones by the time at which they were played.
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
