package refloop

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Stored is what is stored of a session, anew whenever something has happened in it.
type Stored struct {
	Said      int               // how many prompts were said
	Outcome   *protocol.Outcome // of the last of them; nil while it is being answered
	Messages  []neutral.Message
	Results   []*neutral.Result // of calls of the last message; the others have none yet
	Container string
}

// session is where a conversation is stored. The zero value stores nothing. It is safe for use by
// the tools of a turn at the same time.
type session struct {
	file string

	mu  sync.Mutex
	now Stored
	err error // why it could not be stored
}

// resume begins the session of a task, with what was stored of it before.
func (c *conversation) resume() error {
	if c.task.Session == nil {
		return nil
	}
	c.session.file = filepath.Join(c.task.Session.Dir, c.task.Session.ID)
	if !c.task.Session.Resumed {
		return nil
	}
	var err error
	if c.session.now, err = load(c.session.file); err != nil {
		return fmt.Errorf("the session cannot be read: %w", err)
	}
	if change := c.loop.Hooks.Restored; change != nil {
		change(&c.session.now)
	}
	c.history.messages, c.history.container = c.session.now.Messages, c.session.now.Container
	return nil
}

// store notes a change of the session, and writes it down before the loop goes on.
func (c *conversation) store(change func(*Stored)) {
	s := &c.session
	if s.file == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Messages, s.now.Container = c.history.messages, c.history.container
	change(&s.now)
	if err := save(s.file, &s.now); err != nil {
		s.err = errors.Join(s.err, err)
	}
}

// begin says a prompt, unless that was done before the process was killed. It reports whether the
// prompt has its answer, too.
func (c *conversation) begin(n int, prompt string) (answered bool) {
	if n < c.session.now.Said {
		return n < c.session.now.Said-1 || c.session.now.Outcome != nil
	}
	c.history.add(neutral.Says(neutral.User, prompt))
	c.store(func(s *Stored) { s.Said, s.Outcome = n+1, nil })
	return false
}

// finishTurn gives the calls of the last turn their results, where the process was killed before
// they had them.
func (c *conversation) finishTurn(ctx context.Context) {
	var calls []*neutral.Call
	for _, m := range c.history.messages {
		switch m.Role {
		case neutral.Assistant:
			calls = append(calls, m.Calls()...)
		default:
			calls = nil
		}
	}
	if len(calls) > 0 {
		c.addResults(c.runTools(ctx, calls))
	}
}

// addResults puts the results of a turn into the history.
func (c *conversation) addResults(results []*neutral.Result) {
	c.history.add(c.dialect.Answer(c.task, results)...)
	c.store(func(s *Stored) { s.Results = nil })
}

// storedResult returns the result that a call of the last turn has already, or nil.
func (c *conversation) storedResult(call *neutral.Call, n int) *neutral.Result {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if n < len(c.session.now.Results) && c.session.now.Results[n] != nil && c.session.now.Results[n].CallID == call.ID {
		return c.session.now.Results[n]
	}
	return nil
}

// storeResult notes the result of a call of the last turn.
func (c *conversation) storeResult(r *neutral.Result, n, calls int) {
	c.store(func(s *Stored) {
		if len(s.Results) < calls {
			s.Results = make([]*neutral.Result, calls)
		}
		s.Results[n] = r
	})
}

// part is a part of a message as it is stored: one of these.
type part struct {
	Text      *neutral.Text
	Reasoning *neutral.Reasoning
	Call      *neutral.Call
	Result    *neutral.Result
	Image     *neutral.Image
	Asked     *neutral.Asked
	Decision  *neutral.Decision
	Foreign   *neutral.Foreign
}

// file is what a file of a session holds.
type file struct {
	Said      int
	Outcome   *protocol.Outcome
	Container string
	Roles     []neutral.Role // of the messages
	Models    []string
	Parts     [][]part
	Results   []part // with no result where there is none yet
}

// save writes a session down. A process that is killed meanwhile leaves what was there before.
func save(path string, s *Stored) error {
	f := file{Said: s.Said, Outcome: s.Outcome, Container: s.Container}
	for _, m := range s.Messages {
		var parts []part
		for _, p := range m.Parts {
			parts = append(parts, partOf(p))
		}
		f.Roles, f.Models, f.Parts = append(f.Roles, m.Role), append(f.Models, m.Model), append(f.Parts, parts)
	}
	for _, r := range s.Results {
		f.Results = append(f.Results, part{Result: r})
	}
	next, err := os.Create(path + ".next")
	if err != nil {
		return err
	}
	if err := errors.Join(gob.NewEncoder(next).Encode(f), next.Close()); err != nil {
		return err
	}
	return os.Rename(next.Name(), path)
}

// load reads a session. One of which nothing was stored is empty.
func load(path string) (s Stored, err error) {
	from, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Stored{}, nil
	}
	if err != nil {
		return Stored{}, err
	}
	defer from.Close()
	var f file
	if err := gob.NewDecoder(from).Decode(&f); err != nil {
		return Stored{}, err
	}
	s = Stored{Said: f.Said, Outcome: f.Outcome, Container: f.Container}
	for i, role := range f.Roles {
		m := neutral.Message{Role: role, Model: f.Models[i]}
		for _, p := range f.Parts[i] {
			m.Parts = append(m.Parts, p.part())
		}
		s.Messages = append(s.Messages, m)
	}
	for _, p := range f.Results {
		s.Results = append(s.Results, p.Result)
	}
	return s, nil
}

func partOf(p neutral.Part) part {
	switch p := p.(type) {
	case *neutral.Text:
		return part{Text: p}
	case *neutral.Reasoning:
		return part{Reasoning: p}
	case *neutral.Call:
		return part{Call: p}
	case *neutral.Result:
		return part{Result: p}
	case *neutral.Image:
		return part{Image: p}
	case *neutral.Asked:
		return part{Asked: p}
	case *neutral.Decision:
		return part{Decision: p}
	case *neutral.Foreign:
		return part{Foreign: p}
	}
	panic(fmt.Sprintf("refloop: a part of the unknown type %T cannot be stored", p))
}

func (p part) part() neutral.Part {
	switch {
	case p.Text != nil:
		return p.Text
	case p.Reasoning != nil:
		return p.Reasoning
	case p.Call != nil:
		return p.Call
	case p.Result != nil:
		return p.Result
	case p.Image != nil:
		return p.Image
	case p.Asked != nil:
		return p.Asked
	case p.Decision != nil:
		return p.Decision
	default:
		return p.Foreign
	}
}
