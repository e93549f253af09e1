package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/wire"
)

// recorded is what a step answers that has a fixture.
type recorded struct {
	fixture *fixtures.Response
	answer  *wire.Answer // nil when the bytes are none of the model's answers
}

// Recorded returns the fixture of the step, or nil.
func (s *Step) Recorded() *fixtures.Response {
	if s.recorded == nil {
		return nil
	}
	return s.recorded.fixture
}

// Files returns the names of the files that the scenario names, which lie alongside it or below.
func (s *Scenario) Files() []string {
	var names []string
	add := func(name string) {
		if name != "" {
			names = append(names, name)
		}
	}
	tools := slices.Clone(s.Tools)
	for _, m := range s.MCPServers {
		tools = append(tools, m.Tools...)
		for _, r := range m.Resources {
			add(r.File)
		}
	}
	for _, t := range tools {
		for _, r := range t.Results {
			add(r.File)
		}
	}
	for _, e := range s.Embeddings {
		add(e.Table)
	}
	for _, step := range s.Model {
		add(step.Fixture)
	}
	return names
}

// maxFile is the largest file alongside a scenario that is read.
const maxFile = 64 << 20

// readFiles reads the files that the scenario names, which are in a folder. Fixtures are in one
// of the dialects.
func (s *Scenario) readFiles(folder fs.FS, dialects []*wire.Dialect) error {
	var errs []error
	fail := func(at string, err error) { errs = append(errs, s.doc.Errorf(at, "%v", err)) }
	readResults(s.Tools, folder, fail)
	for i := range s.MCPServers {
		m := &s.MCPServers[i]
		inServer := func(at string, err error) { fail(pointer("mcp-servers", m.Name)+at, err) }
		readResults(m.Tools, folder, inServer)
		m.readFiles(folder, inServer)
	}
	for i := range s.Embeddings {
		if s.Embeddings[i].Table == "" {
			continue
		}
		if err := s.Embeddings[i].readTable(folder); err != nil {
			fail(at("embeddings", i)+"/table", err)
		}
	}
	for i := range s.Model {
		if s.Model[i].Fixture == "" {
			continue
		}
		if err := s.play(&s.Model[i], i, folder, dialects); err != nil {
			fail(at("model", i)+"/fixture", err)
		}
	}
	return errors.Join(errs...)
}

// readResults reads the files that results of tools name.
func readResults(tools []Tool, folder fs.FS, fail func(at string, err error)) {
	for i := range tools {
		for k := range tools[i].Results {
			r := &tools[i].Results[k]
			if r.File == "" {
				continue
			}
			at := "/tools/" + tools[i].Name + at("results", k) + "/file"
			data, err := readBeside(folder, r.File)
			switch {
			case err != nil:
				fail(at, err)
			case r.Text != "" || r.Fails():
				fail(at, errors.New("a result has a text, or fails, or is in a file"))
			}
			r.Text = string(data)
		}
	}
}

func readBeside(folder fs.FS, name string) ([]byte, error) {
	if folder == nil {
		return nil, errors.New("the scenario names a file alongside it, and so has to be read with its folder")
	}
	info, err := fs.Stat(folder, name)
	switch {
	case errors.Is(err, fs.ErrInvalid):
		return nil, fmt.Errorf("%q is no name of a file alongside or below the scenario", name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s alongside the scenario", name)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file, and is not read (%s)", name, info.Mode().Type())
	case info.Size() > maxFile:
		return nil, fmt.Errorf("the file %s has %d MB, at most %d MB are read", name, info.Size()>>20, maxFile>>20)
	}
	return fs.ReadFile(folder, name)
}

// play reads the fixture of a step and says in the terms of scenarios what it holds.
func (s *Scenario) play(step *Step, number int, folder fs.FS, dialects []*wire.Dialect) error {
	if step.answers() || step.Status != 0 || step.TooLong || step.Redirect != 0 || step.Refused || step.breaksOff() {
		return errors.New("a fixture says all that the step does: leave the other keys out, or the fixture")
	}
	data, err := readBeside(folder, step.Fixture)
	if err != nil {
		return err
	}
	f, err := fixtures.Read(data)
	var in *wire.Dialect
	if err == nil {
		in, err = dialect.OfResponse(f, dialects...)
	}
	if err != nil {
		return fmt.Errorf("the file %s is no fixture: %w", step.Fixture, err)
	}
	step.recorded = &recorded{fixture: f}
	answer, err := dialect.AnswerOf(f, dialects...)
	if err != nil {
		body := string(f.Body())
		step.Status, step.Body = f.Status, &body
		return nil
	}
	for i := range answer.Calls {
		c := &answer.Calls[i]
		c.As = callName(number, i)
		step.Calls = append(step.Calls, Call{As: c.As, Tool: c.Name, Arguments: c.Arguments, NotOffered: s.Tool(c.Name) == nil})
	}
	step.recorded.answer, step.Text, step.Refusal, step.Finish = answer, &answer.Text, answer.Refusal, string(answer.Finish)
	if f.Severed || answer.Finish == "" {
		step.Cut = &Break{After: Amount{N: len(in.FramesOf(f.Headers.Get("Content-Type")).Payloads(f.Body())), Unit: "events"}}
	}
	return nil
}
