package stubs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// IsWireMock reports whether a file contains stub mappings of WireMock:
// https://wiremock.org/docs/stubbing.
func IsWireMock(root *wire.Node) bool {
	return slices.ContainsFunc(mappings(root), func(m *wire.Node) bool { return m.Get("request").Is(wire.Object) && m.Get("response").Is(wire.Object) })
}

// mappings returns the stub mappings of a file, which has one or a list of them.
func mappings(root *wire.Node) []*wire.Node {
	if root.Has("mappings") {
		return root.Get("mappings").All()
	}
	return []*wire.Node{root}
}

// WireMockFile is a file with stub mappings.
type WireMockFile struct {
	Name string
	Root *wire.Node

	// Body reads a file of the folder __files that belongs to the mappings.
	Body func(name string) ([]byte, error)
}

// Dialect is a dialect in which WireMock may answer, and the profile of the scripts for it.
type Dialect struct {
	*wire.Dialect
	Profile string
}

// WireMock makes scripts of all files that one server of WireMock has, one for each dialect, in the
// order in which WireMock tries the stubs: by their priority, and the last one first.
func WireMock(name string, files []WireMockFile, dialects []Dialect) ([]*Script, []Note) {
	w := &wireMock{dialects: dialects}
	for _, file := range files {
		for i, m := range mappings(file.Root) {
			place := ""
			if file.Root.Has("mappings") {
				place = fmt.Sprintf("/mappings/%d", i)
			}
			w.read(&stub{place: strings.TrimSpace(file.Name + " " + place), node: m, file: file})
		}
	}
	slices.Reverse(w.stubs)
	slices.SortStableFunc(w.stubs, func(a, b *stub) int { return a.priority() - b.priority() })
	return w.scripts(name), w.notes
}

// wireMock reads the stubs of a server.
type wireMock struct {
	dialects []Dialect
	stubs    []*stub
	notes    []Note
}

// stub is a stub mapping.
type stub struct {
	place   string
	node    *wire.Node
	file    WireMockFile
	dialect Dialect
	step    Step
	answer  []byte // the fixture, if its answer is one
	notes   []Note
}

func (s *stub) differs(key, format string, args ...any) {
	s.notes = append(s.notes, Note{Place: s.place + key, Why: fmt.Sprintf(format, args...)})
}

// usual is the priority of a stub that has none.
const usual = 5

func (s *stub) priority() int {
	if n, ok := s.node.Get("priority").Int(); ok {
		return n
	}
	return usual
}

func (w *wireMock) read(s *stub) {
	s.step.From = s.place
	err := s.asked(w.dialects)
	if err == nil {
		s.states()
		err = s.answered()
	}
	if err != nil {
		w.lost(s, err)
		return
	}
	w.stubs = append(w.stubs, s)
}

func (w *wireMock) lost(s *stub, why error) {
	w.notes = append(w.notes, Note{Place: s.place, Why: why.Error(), Lost: true})
}

// started is the first state of a scenario; in a script it is what nothing has set.
const started = "Started"

// states carries over in which state of its scenario the stub answers, and which one it sets.
func (s *stub) states() {
	name := s.node.Get("scenarioName").Text()
	if name == "" {
		return
	}
	state := func(key string) string {
		if text := s.node.Get(key).Text(); text != started {
			return text
		}
		return ""
	}
	if s.node.Get("requiredScenarioState").Text() != "" {
		s.step.When.State = map[string]string{name: state("requiredScenarioState")}
	}
	if s.node.Get("newScenarioState").Text() != "" {
		s.step.State = map[string]string{name: state("newScenarioState")}
	}
}

// scripts puts the stubs together, those of each dialect into a script of its own.
func (w *wireMock) scripts(name string) []*Script {
	var all []*Script
	of := map[string]*Script{}
	for _, s := range w.stubs {
		script := of[s.dialect.Name]
		if script == nil {
			script = &Script{Name: name, Profile: s.dialect.Profile, Files: map[string][]byte{}}
			of[s.dialect.Name] = script
			all = append(all, script)
		}
		if n := len(script.Steps); n > 0 && script.Steps[n-1].When.empty() {
			w.lost(s, fmt.Errorf("it never answers: %s before it answers every request", script.Steps[n-1].From))
			continue
		}
		if s.answer != nil {
			s.step.Fixture = fmt.Sprintf("%02d.http", len(script.Steps)+1)
			script.Files[s.step.Fixture] = s.answer
		}
		if s.step.When.empty() {
			s.step.When = nil
		}
		script.Steps = append(script.Steps, s.step)
		w.notes = append(w.notes, s.notes...)
	}
	if len(all) > 1 {
		for _, script := range all {
			script.Name = name + "-" + script.Profile
		}
		slices.SortFunc(all, func(a, b *Script) int { return strings.Compare(a.Name, b.Name) })
	}
	return all
}

// templated reports whether WireMock makes the answer of the request.
func templated(response *wire.Node) bool {
	return slices.ContainsFunc(response.Get("transformers").All(), func(t *wire.Node) bool { return strings.HasPrefix(t.Text(), "response-template") })
}
