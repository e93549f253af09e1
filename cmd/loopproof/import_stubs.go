package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/importing/stubs"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// stubFiles are the files with answers and their conditions.
type stubFiles struct {
	aimock   []aimockFile
	wireMock []stubs.WireMockFile
}

type aimockFile struct {
	name string
	root *wire.Node
}

func (f *stubFiles) add(name string, root *wire.Node) {
	if stubs.IsAimock(root) {
		f.aimock = append(f.aimock, aimockFile{name, root})
		return
	}
	f.wireMock = append(f.wireMock, stubs.WireMockFile{Name: name, Root: root, Body: func(body string) ([]byte, error) { return bodyOf(name, body) }})
}

// bodyOf reads a file of the folder __files, which is beside a mapping or above it.
func bodyOf(mapping, name string) ([]byte, error) {
	absolute, err := filepath.Abs(mapping)
	if err != nil {
		return nil, err
	}
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return nil, fmt.Errorf("its body is in the file %s, which is not in a folder __files", name)
	}
	for dir := filepath.Dir(absolute); ; dir = filepath.Dir(dir) {
		below := filepath.Join("__files", local)
		if file := filepath.Join(dir, below); exists(file) {
			if err := files.CheckIn(dir, below); err != nil {
				return nil, err
			}
			return readUpTo(file, maxRecording)
		}
		if dir == filepath.Dir(dir) {
			return nil, fmt.Errorf("its body is in the file %s, and no folder __files beside or above the mapping has it", name)
		}
	}
}

// imported is a script with the files that it is made of.
type imported struct {
	*stubs.Script
	source string
	notes  []stubs.Note
}

// writeStubs writes the scripts of all files with answers.
func (i *importing) writeStubs() error {
	var all []imported
	for _, file := range i.stubs.aimock {
		script, notes := stubs.Aimock(nameOf(file.name), file.root, i.showsReasoning())
		for k := range notes {
			notes[k].Place = file.name + " " + notes[k].Place
		}
		all = append(all, imported{script, filepath.Base(file.name), notes})
	}
	if files := i.stubs.wireMock; len(files) > 0 {
		name := "wiremock"
		if len(files) == 1 {
			name = nameOf(files[0].Name)
		}
		scripts, notes := stubs.WireMock(name, files, i.spoken())
		for _, note := range notes {
			i.tell(note)
		}
		for _, script := range scripts {
			all = append(all, imported{script, "mappings of WireMock", nil})
		}
	}
	for _, script := range all {
		for _, note := range script.notes {
			i.tell(note)
		}
	}
	return i.writeScripts(all)
}

// showsReasoning reports whether profiles are named, and all of them show the reasoning of the
// model.
func (i *importing) showsReasoning() bool {
	return len(i.profiles) > 0 && !slices.ContainsFunc(i.profiles, func(p *profiles.Profile) bool { return !p.Traits.Reasoning || p.Traits.ReasoningOmitted })
}

// spoken returns the dialects in which stubs can answer.
func (i *importing) spoken() []stubs.Dialect {
	var all []stubs.Dialect
	for _, d := range profiles.Spoken(i.profiles) {
		all = append(all, stubs.Dialect{Dialect: d, Profile: d.Standard})
	}
	return all
}

func (i *importing) tell(note stubs.Note) {
	place := strings.TrimSpace(note.Place)
	if note.Lost {
		i.skip(place, note.Why)
		return
	}
	i.differs++
	i.note("%s is different: %s", place, note.Why)
}

// writeScripts writes scripts into the folder, under names in whose order they are to be tried.
func (i *importing) writeScripts(all []imported) error {
	all = slices.DeleteFunc(all, func(s imported) bool { return len(s.Steps) == 0 })
	if len(all) == 0 {
		return nil
	}
	if err := files.MakeFolder(i.flags.out); err != nil {
		return fmt.Errorf("nothing can be written into the folder %s: %w", i.flags.out, err)
	}
	if !slices.IsSortedFunc(all, func(a, b imported) int { return strings.Compare(a.Name, b.Name) }) {
		for k, script := range all {
			script.Name = fmt.Sprintf("%02d-%s", k+1, script.Name)
		}
	}
	_, known, err := i.flags.own.readProfiles()
	if err != nil {
		return err
	}
	i.vocabulary = rulebook.Vocabulary(known)
	var written []*scenarios.Scenario
	for _, script := range all {
		s, err := i.writeScript(script)
		if err != nil {
			return err
		}
		if s != nil {
			written = append(written, s)
		}
	}
	if err := scripts.Check(written); err != nil {
		i.note("one server cannot play all of them: %v", err)
	}
	return nil
}

// writeScript writes a script and its fixtures. A step that no script can have is left out.
func (i *importing) writeScript(script imported) (*scenarios.Scenario, error) {
	script.Name = i.free(script.Name)
	folder := filepath.Join(i.flags.out, script.Name)
	if len(script.Files) > 0 {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, err
		}
	}
	steps := script.Steps
	script.Steps = nil
	for _, step := range steps {
		file := step.Fixture
		if file != "" {
			if err := files.WriteBytes(filepath.Join(folder, file), script.Files[file]); err != nil {
				return nil, err
			}
			step.Fixture = script.Name + "/" + file
		}
		alone := *script.Script
		alone.Steps = []stubs.Step{step}
		if _, _, err := i.parse(&alone, script.source); err != nil {
			i.skip(script.source+" "+step.From, messageOf(err))
			if file != "" {
				os.Remove(filepath.Join(folder, file))
			}
			continue
		}
		script.Steps = append(script.Steps, step)
	}
	if len(script.Steps) == 0 {
		os.Remove(folder)
		return nil, nil
	}
	s, text, err := i.parse(script.Script, script.source)
	if err != nil { // the steps can be played alone, and not together
		for _, step := range script.Steps {
			if step.Fixture != "" {
				os.Remove(filepath.Join(i.flags.out, step.Fixture))
			}
		}
		os.Remove(folder)
		i.skip(script.source, messageOf(err))
		return nil, nil
	}
	written := i.written.named(script.Name)
	written.steps, written.profiles = len(script.Steps), s.Profiles
	return s, files.WriteBytes(filepath.Join(i.flags.out, script.Name+".yaml"), text)
}

func (i *importing) parse(script *stubs.Script, source string) (*scenarios.Scenario, []byte, error) {
	text, err := script.YAML(source)
	if err != nil {
		return nil, nil, err
	}
	s, err := scenarios.ParseBeside(files.In(i.flags.out), script.Name+".yaml", text, i.vocabulary)
	return s, text, err
}

// messageOf returns what is wrong with a step, without its place in a file that is not written.
func messageOf(err error) string {
	var wrong *strictyaml.Error
	if errors.As(err, &wrong) {
		return wrong.Message
	}
	return err.Error()
}

// free returns a name that no file of the folder has.
func (i *importing) free(name string) string {
	for n, try := 2, name; ; n++ {
		if _, err := os.Stat(filepath.Join(i.flags.out, try+".yaml")); err != nil {
			return try
		}
		try = fmt.Sprintf("%s-%d", name, n)
	}
}

var odd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// nameOf makes the name of a script of that of a file.
func nameOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if name = strings.Trim(odd().ReplaceAllString(strings.ToLower(name), "-"), "-"); name != "" {
		return name
	}
	return "script"
}
