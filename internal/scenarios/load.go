package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Vocabulary has the names to which a scenario may refer. The packages that define them are above
// this one.
type Vocabulary struct {
	Rules    []string
	Profiles []string // their names

	// Known returns the profiles themselves, by which a quirk that none of them shows is told from one
	// that does not exist. Nil: there are none.
	Known func() []*profiles.Profile

	// Quirks returns the profiles with each quirk, and Seeing those that accept images. Without
	// them scenarios are not checked for these.
	Quirks func() map[string][]string
	Seeing func() []string

	// Transcripts are the names of the formats of transcripts.
	Transcripts []string

	// Dialects are those that fixtures may have; nil: the built-in ones.
	Dialects []*wire.Dialect
}

// known returns the profiles themselves, or none.
func (v Vocabulary) known() []*profiles.Profile {
	if v.Known == nil {
		return nil
	}
	return v.Known()
}

// Load reads every .yaml file in a folder and the folders below it. The error joins all that is
// wrong in all files.
func Load(folder fs.FS, v Vocabulary) ([]*Scenario, error) {
	return LoadWanted(folder, v, func(string) bool { return true })
}

// LoadWanted is [Load] for the scenarios whose ids are wanted. No other file is read.
func LoadWanted(folder fs.FS, v Vocabulary, wanted func(id string) bool) ([]*Scenario, error) {
	files, err := filesBelow(folder)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !wanted(strings.TrimSuffix(file, ending)) })
	all, errs := make([]*Scenario, len(files)), make([]error, len(files))
	var loading sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		loading.Go(func() {
			for i := first; i < len(files); i += workers {
				all[i], errs[i] = loadFile(folder, files[i], v)
			}
		})
	}
	loading.Wait()
	all = slices.DeleteFunc(all, func(s *Scenario) bool { return s == nil })
	slices.SortFunc(all, func(a, b *Scenario) int { return strings.Compare(a.ID, b.ID) })
	return all, errors.Join(errs...)
}

func filesBelow(folder fs.FS) ([]string, error) {
	var files []string
	err := fs.WalkDir(folder, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(file) == ending {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

const ending = ".yaml"

// IDsBelow returns the ids of the scenarios in a folder and the folders below it, sorted. No file
// is read.
func IDsBelow(folder fs.FS) ([]string, error) {
	files, err := filesBelow(folder)
	for i, file := range files {
		files[i] = strings.TrimSuffix(file, ending)
	}
	slices.Sort(files)
	return files, err
}

func loadFile(folder fs.FS, file string, v Vocabulary) (*Scenario, error) {
	data, err := readFile(folder, file)
	if err != nil {
		return nil, err
	}
	return parseBelow(folder, file, data, v)
}

// readFile reads a file, but not one that is too large to be a scenario anyway.
func readFile(folder fs.FS, file string) ([]byte, error) {
	info, err := fs.Stat(folder, file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &strictyaml.Error{File: file, Message: fmt.Sprintf("this is no regular file, and is not read (%s)", info.Mode().Type())}
	}
	if info.Size() > strictyaml.MaxSize {
		return nil, &strictyaml.Error{File: file, Message: fmt.Sprintf("the file has %.1f MB, at most %d MB are read", float64(info.Size())/(1<<20), strictyaml.MaxSize>>20)}
	}
	return fs.ReadFile(folder, file)
}

// Parse reads one scenario file that needs no other. The id of the scenario is the file's path
// without its ending.
func Parse(file string, data []byte, v Vocabulary) (*Scenario, error) {
	return ParseBeside(nil, file, data, v)
}

// parseBelow is [Parse] for a file somewhere below a folder.
func parseBelow(folder fs.FS, file string, data []byte, v Vocabulary) (*Scenario, error) {
	beside, err := fs.Sub(folder, path.Dir(file))
	if err != nil {
		return nil, err
	}
	return ParseBeside(beside, file, data, v)
}

// ParseBeside is [Parse] for a scenario that may name files alongside it: those of the folder in
// which its own is.
func ParseBeside(folder fs.FS, file string, data []byte, v Vocabulary) (*Scenario, error) {
	doc, err := strictyaml.Parse(file, data)
	if err != nil {
		return nil, err
	}
	return read(folder, file, data, doc, v)
}

// read makes a scenario of a document and its text, and checks it.
func read(folder fs.FS, file string, data []byte, doc *strictyaml.Document, v Vocabulary) (*Scenario, error) {
	s := &Scenario{ID: strings.TrimSuffix(file, ending), Why: topComment(string(data)), doc: doc}
	unread := doc.Into(s)
	s.hostTools()
	unfound := s.readFiles(folder, v.Dialects)
	s.answerAll()
	s.nameCalls()
	s.openObjects()
	s.addAgents()
	if err := doc.With(unread, unfound, s.check(v)); err != nil {
		return nil, err
	}
	if s.Prompt != "" {
		s.Prompts = []string{s.Prompt}
	}
	s.needWhatItShows()
	s.openThreads()
	s.facts = factsOf(s)
	return s, nil
}

// needWhatItShows adds the feature without which a loop cannot be judged by what the model does,
// where the file does not say so: one that claims no parallel calls may run the first of several.
func (s *Scenario) needWhatItShows() {
	parallel := slices.ContainsFunc(s.Model, func(step Step) bool { return len(step.Calls) > 1 })
	if parallel && s.Prompted() && !slices.Contains(s.Needs, protocol.ParallelCalls) {
		s.Needs = append(s.Needs, protocol.ParallelCalls)
	}
}

// nameCalls names the calls that have no name, since the scenario speaks of them nowhere.
func (s *Scenario) nameCalls() {
	for i := range s.Model {
		for j := range s.Model[i].Calls {
			if call := &s.Model[i].Calls[j]; call.As == "" {
				call.As = callName(i, j)
			}
		}
	}
}

// callName returns a name for a call of a step, by their places from 0.
func callName(step, call int) string { return fmt.Sprintf("call-%d-%d", step+1, call+1) }

func topComment(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(comment))
	}
	return strings.Join(lines, " ")
}
