package recording

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Exchange describes a recorded exchange.
type Exchange struct {
	Number   int    // of all exchanges, from 1
	Scenario string // the name of its file, without the ending
	Step     int    // in that scenario, from 1
	Profile  *profiles.Profile
	Status   int
	Severed  bool
	Said     string // what came, in a few words
	Pieces   int    // in which it came
	Bytes    int
	Took     time.Duration
	Findings []trace.Finding
}

// conversation is one that is being recorded.
type conversation struct {
	name     string
	dialect  string
	profile  *profiles.Profile
	last     []fingerprint   // of the last request
	failed   bool            // the last request brought no whole answer
	broken   bool            // a step could not be written, so nothing after it is
	model    string          // that the first request asks for
	apart    bool            // other recordings begin with the same prompt, and conditions tell it apart from all of them
	when     *scenarios.When // of requests that are its own, where the prompt alone does not tell
	scenario *scenarios.Scenario
	script   *scenarios.Script         // what was answered so far
	comments []string                  // of the steps
	calls    map[string]scenarios.Call // by id, as they are written down
	nameless []namelessCall            // calls without an id, in their order
	known    map[string]bool           // the ids of those whose results are known
	files    int                       // of results
}

// writer turns exchanges into scenarios, one after the other.
type writer struct {
	config Config
	kept   keptHistories
	source string // of the recordings, as in "by loopproof record in front of api.openai.com"

	mu     sync.Mutex
	open   []*heard // that are not written yet, in the order in which they began
	closed bool
	more   *sync.Cond

	finished      chan struct{}
	conversations []*conversation
	earlier       []*scenarios.Scenario // recordings that were in the folder before; read when the first conversation begins
	looked        bool                  // they were read
	count         int
	written       map[string]bool // files
	writeFile     func(name string, data []byte) error
	errs          []error
}

func newWriter(c Config, upstream string) *writer {
	source := "by loopproof record in front of " + upstream
	if c.Source != "" {
		source = "by another tool in " + c.Source
	}
	w := &writer{config: c, source: source, finished: make(chan struct{}), written: map[string]bool{}, writeFile: files.WriteBytes}
	w.more = sync.NewCond(&w.mu)
	go w.run()
	return w
}

// begins notes that an exchange has begun.
func (w *writer) begins(h *heard) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = append(w.open, h)
}

// ends notes that an exchange is complete. Only the first call has an effect.
func (w *writer) ends(h *heard, keep bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h.done {
		return
	}
	h.done, h.keep = true, keep
	w.more.Signal()
}

// close writes what is waiting, checks that all can be played, and merges what is the same.
func (w *writer) close() error {
	w.mu.Lock()
	w.closed = true
	w.more.Signal()
	w.mu.Unlock()
	<-w.finished
	errs := w.errs
	for _, c := range w.conversations {
		file := filepath.Join(w.config.Dir, c.name+".yaml")
		if !w.written[file] {
			continue
		}
		s, err := w.read(c.name)
		switch {
		case err == nil:
			errs = append(errs, w.merge(c, s))
		case w.config.Unplayable != nil:
			errs = append(errs, w.remove(c))
			w.config.Unplayable(c.name, err)
		default:
			errs = append(errs, fmt.Errorf("the recording cannot be played: %w", err))
		}
	}
	return errors.Join(errs...)
}

// read reads a recording of the folder.
func (w *writer) read(name string) (*scenarios.Scenario, error) {
	file := filepath.Join(w.config.Dir, name+".yaml")
	data, err := files.ReadIn(w.config.Dir, name+".yaml")
	if err != nil {
		return nil, err
	}
	known := slices.Concat(profiles.All(), w.config.Profiles)
	return scenarios.ParseBeside(files.In(w.config.Dir), file, data, scenarios.Vocabulary{Profiles: profiles.Names(known), Dialects: profiles.Spoken(w.config.Profiles)})
}

// next waits for an exchange that can be written. false: there are none any more.
func (w *writer) next() (*heard, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		w.open = slices.DeleteFunc(w.open, func(h *heard) bool { return h.done && !h.keep })
		for i, h := range w.open {
			if h.done && (w.closed || !w.awaits(i)) {
				w.open = slices.Delete(w.open, i, i+1)
				return h, true
			}
		}
		if w.closed {
			return nil, false
		}
		w.more.Wait()
	}
}

// awaits reports whether an exchange continues with an earlier one that is not over yet. A client
// that has seen the end mark of a stream sends its next request before the connection has ended.
func (w *writer) awaits(i int) bool {
	h := w.open[i]
	if w.awaitsKept(i) {
		return true
	}
	for _, earlier := range w.open[:i] {
		said := earlier.messages()
		if earlier.dialect == h.dialect && len(said) <= len(h.messages()) && slices.Equal(said, h.messages()[:len(said)]) {
			return true
		}
	}
	return false
}

func (w *writer) run() {
	defer close(w.finished)
	for {
		h, ok := w.next()
		if !ok {
			return
		}
		if err := w.record(h); err != nil {
			err = fmt.Errorf("an exchange is not recorded: %w", err)
			w.errs = append(w.errs, err)
			w.config.Failed(err)
		}
	}
}

// record adds an exchange to its conversation and writes it down.
func (w *writer) record(h *heard) error {
	r := newRedactor(h.secrets, w.config.Redact)
	f := &fixtures.Response{Dialect: h.dialect.Name, Status: h.status, Headers: h.headers, Writes: h.writes, Severed: h.severed}
	given, givenErr := dialect.AnswerOf(f, h.dialect) // before anything is taken out: what the client saw, and is judged by
	w.resume(h)
	if givenErr == nil {
		w.keep(h, f)
	}
	if err := r.fixture(f, h.request.Frames()); err != nil {
		return err
	}
	messages := h.messages()
	c := w.find(h.dialect.Name, messages)
	if c == nil {
		var err error
		if c, err = w.begin(h, r); err != nil {
			return err
		}
	}
	if c.broken {
		return fmt.Errorf("a step of %s before it could not be written", c.name)
	}
	c.broken = true // until all of this step is written
	c.last = messages
	c.asked(h.request, r)
	w.count++
	seen := Exchange{
		Number: w.count, Scenario: c.name, Step: len(c.scenario.Model) + 1, Profile: c.profile, Status: h.status, Severed: h.severed,
		Pieces: len(f.Writes), Bytes: len(f.Body()), Took: h.took, Findings: c.findings(w.count, h.request, r),
	}
	if err := w.results(c, h, r); err != nil {
		return err
	}
	seen.Said = r.text(c.answered(f, h.dialect, given, givenErr))
	c.comments = append(c.comments, seen.Said)
	if err := w.fixture(c, f); err != nil {
		return err
	}
	if err := w.scenario(c, r); err != nil {
		return err
	}
	c.broken = false
	w.config.Seen(seen)
	return nil
}

// answered adds a step to the conversation and to its script, and says in a few words what came.
func (c *conversation) answered(f *fixtures.Response, d *wire.Dialect, given *wire.Answer, givenErr error) string {
	number := len(c.script.Turns)
	step := scenarios.Step{Fixture: fmt.Sprintf("%s/%02d.http", c.name, number+1), Status: f.Status}
	comment := fmt.Sprintf("the provider answers %d", f.Status)
	if givenErr != nil && f.Status == http.StatusOK {
		comment = "no answer of a model: " + givenErr.Error()
	}
	if written, err := dialect.AnswerOf(f, d); err == nil && given != nil {
		step.Status, comment = 0, summary(written)
		if f.Severed || given.Finish == "" {
			step.Cut = &scenarios.Break{After: scenarios.Amount{N: len(f.Writes), Unit: "events"}}
			comment += "; the answer breaks off"
		}
		for i, call := range written.Calls {
			made := scenarios.Call{Tool: call.Name, Arguments: call.Arguments}
			if given.Calls[i].ID == "" {
				c.nameless = append(c.nameless, namelessCall{given.Calls[i], made})
				continue
			}
			c.calls[given.Calls[i].ID] = made
		}
	}
	turn := &scenarios.Turn{Step: &step, Number: number, Answer: given}
	c.failed = turn.Fails() || turn.Breaks()
	c.scenario.Model = append(c.scenario.Model, step)
	c.script.Turns = append(c.script.Turns, turn)
	return comment
}

// scenario writes the file of a conversation.
func (w *writer) scenario(c *conversation, r *redactor) error {
	data := c.yaml(w.source)
	if err := r.clean(data); err != nil {
		return err
	}
	return w.write(filepath.Join(w.config.Dir, c.name+".yaml"), data)
}

// fixture writes the answer of the last step.
func (w *writer) fixture(c *conversation, f *fixtures.Response) error {
	var file bytes.Buffer
	if err := f.Write(&file); err != nil {
		return err
	}
	return w.write(filepath.Join(w.config.Dir, c.scenario.Model[len(c.scenario.Model)-1].Fixture), file.Bytes())
}

// write writes a file below the folder.
func (w *writer) write(name string, data []byte) error {
	if below, err := filepath.Rel(w.config.Dir, name); err == nil {
		if err := errors.Join(files.CheckIn(w.config.Dir, filepath.Dir(below)), files.CheckIn(w.config.Dir, below)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if len(w.written) == 0 { // fixtures are bytes, whatever git thinks of line ends
		w.written[""] = true
		if err := keepBytes(w.config.Dir); err != nil {
			return err
		}
	}
	if err := w.writeFile(name, data); err != nil {
		return err
	}
	w.written[name] = true
	return nil
}
